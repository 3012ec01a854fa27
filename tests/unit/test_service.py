"""The engine over its ports, driven as the panel drives it: by protocol messages."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fakes import (
    BagEmbedder,
    FakeClock,
    FakeFiles,
    FakeSettings,
    FakeTabs,
    FakeViewer,
    WholePage,
    capture_of,
    tab_record,
)
from tabwise.adapters.stores.sqlite import SqliteStore, set_aside
from tabwise.core.index import SearchIndex
from tabwise.core.model import Capture, Node
from tabwise.core.pdf.capture import PdfCapture, PdfItem, PdfPage
from tabwise.engine.library import Library
from tabwise.engine.service import Service
from tabwise.errors import AppError, HostError, InputError
from tabwise.protocol import codec, schema
from tabwise.protocol.settings import default_settings

TIDES = capture_of(
    "https://sea.example/tides?utm_source=mail#top",
    "Tides",
    "The largest tidal range on Earth is found in the Bay of Fundy, where it reaches 16.3 metres.",
    "Spring tides occur around the new moon and the full moon, when sun and moon pull in one line.",
    headings=("Range", "Timing"),
)
BREAD = capture_of(
    "https://kitchen.example/bread",
    "Sourdough",
    "A sourdough starter is fed with equal weights of flour and water once a day.",
    "Bake the loaf at 240 degrees Celsius for 35 minutes.",
)


def pdf_page(number: int, *lines: str) -> PdfPage:
    items = [PdfItem(line, 60, 100 + 13 * row, 5 * len(line), 10) for row, line in enumerate(lines)]
    return PdfPage(number, 600, 800, tuple(items))


FUNDY = "How large is the tidal range in Fundy?"
REPORT = PdfCapture(
    "https://sea.example/report.pdf",
    "Tides",
    "en",
    2,
    (
        pdf_page(1, "Spring tides occur around the new moon and the full moon."),
        pdf_page(2, "The largest tidal range is found in the Bay of Fundy", "where it reaches 16.3 metres."),
    ),
)


class Desk:
    """A service with fake surroundings and a panel that keeps what it hears."""

    def __init__(self, path: Path, tabs: dict[int, Capture | AppError], embedder: BagEmbedder) -> None:
        self.path = path
        self.tabs = tabs
        self.embedder = embedder
        self.viewer = FakeViewer()
        self.files = FakeFiles()
        self.settings = FakeSettings()
        self.events: list[dict[str, Any]] = []
        self.library: Library | None = None
        self.service = Service(
            open_library=self._open,
            set_library_aside=lambda: _ignore(set_aside(path)),
            embedder=embedder,
            pages=FakeTabs(tabs),
            content=WholePage(),
            files=self.files,
            viewer=self.viewer,
            settings=self.settings,
            clock=FakeClock(),
            post=lambda text: self.events.append(codec.decode_event(text)),
        )
        self._n = 0

    def _open(self) -> Library:
        self.library = Library(SqliteStore(self.path), SearchIndex(64))
        return self.library

    def send(self, kind: str, **fields: Any) -> str:
        self._n += 1
        self.service.dispatch(codec.encode_request(str(self._n), kind, **fields))
        return str(self._n)

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request and return its terminal event."""
        request_id = self.send(kind, **fields)
        await self.service.settle()
        return self.end_of(request_id)

    def end_of(self, request_id: str) -> dict[str, Any]:
        ends = [e for e in self.events if e["re"] == request_id and e["type"] in schema.TERMINAL]
        assert len(ends) == 1, ends
        return ends[0]

    async def add(self, *tab_ids: int) -> dict[str, Any]:
        return await self.ask("index", tabs=[self.tab(tab_id) for tab_id in tab_ids])

    def tab(self, tab_id: int) -> dict[str, object]:
        found = self.tabs[tab_id]
        url = found.url if isinstance(found, Capture) else f"https://gone.example/{tab_id}"
        return tab_record(tab_id, url)


def _ignore(value: object) -> None:
    """Drop a return value."""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Run `scenario(desk)` with a started service over `tabs`; close the library afterwards."""

    def go(scenario: Callable[[Desk], Any], tabs: Any = None, embedder: BagEmbedder | None = None) -> Desk:
        async def main() -> Desk:
            desk = Desk(
                tmp_path / "library.db",
                {1: TIDES, 2: BREAD} if tabs is None else tabs,
                embedder or BagEmbedder(),
            )
            await desk.service.start()
            await scenario(desk)
            await desk.service.settle()
            if desk.library:
                desk.library.store.close()
            return desk

        return asyncio.run(main())

    return go


def states(result: list[dict[str, Any]]) -> list[str]:
    return [row["state"] for row in result]


def test_a_question_is_answered_with_a_verified_citation(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        added = await desk.add(1, 2)
        assert states(added["result"]) == ["added", "added"]
        end = await desk.ask("ask", question="How large is the tidal range in the Bay of Fundy?", sources=[])
        answer = end["result"]
        assert answer["found"]
        assert answer["semantic"]
        first = answer["sentences"][0]
        assert "16.3 metres" in first["text"]
        assert first["verdict"] == "supported"
        citation = answer["citations"][first["citations"][0] - 1]
        assert citation["source"] == "https://sea.example/tides"
        assert citation["quote"] == first["text"]

    run(scenario)


def test_a_citation_is_an_exact_span_of_the_page(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        end = await desk.ask("ask", question="When do spring tides occur?", sources=[])
        assert desk.library
        for citation in end["result"]["citations"]:
            page = desk.library.page(citation["source"])
            assert page.text[citation["start"] : citation["end"]] == citation["quote"]
            assert page.text[: citation["start"]].endswith(citation["before"])

    run(scenario)


def test_sentences_are_streamed_before_the_end(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        end = await desk.ask("ask", question="When do spring tides occur?", sources=[])
        streamed = [e["sentence"] for e in desk.events if e["type"] == "sentence"]
        assert streamed == end["result"]["sentences"]
        assert desk.events.index(end) == len(desk.events) - 1

    run(scenario)


def test_nothing_found_is_an_honest_answer(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        end = await desk.ask("ask", question="Who composed the opera Carmen?", sources=[])
        assert end["result"]["found"] is False
        assert end["result"]["sentences"] == []

    run(scenario)


def test_the_scope_limits_the_answer(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        end = await desk.ask(
            "search", query="moon flour", sources=["https://kitchen.example/bread"], k=5, mode="convex"
        )
        assert {hit["source"] for hit in end["result"]} == {"https://kitchen.example/bread"}

    run(scenario)


def test_modes_rank_by_their_own_score(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        lexical = await desk.ask("search", query="moon", sources=[], k=5, mode="lexical")
        assert all(hit["dense"] is None for hit in lexical["result"])
        dense = await desk.ask("search", query="moon", sources=[], k=5, mode="dense")
        assert all(hit["dense"] is not None for hit in dense["result"])

    run(scenario)


def test_find_answers_at_once_by_words_and_then_by_meaning(run: Callable[..., Any]) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        request = desk.send("find", text="tidal ra", k=5)
        await desk.service.settle()
        own = [event for event in desk.events if event["re"] == request]
        assert [event["type"] for event in own] == ["found", "done"]
        first = own[0]["pages"][0]
        assert first["title"] == TIDES.title
        page = desk.library and desk.library.page(first["source"])
        assert page
        assert page.text[first["start"] : first["end"]] == first["excerpt"]
        assert own[1]["result"][: len(own[0]["pages"])] == own[0]["pages"]
        assert (await desk.ask("find", text=" ", k=5))["result"] == []

    run(scenario)


def test_a_self_test_asks_the_pages_themselves_in_every_mode(run: Callable[..., Any]) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        result = (await desk.ask("self_test", n_questions=10))["result"]
        assert [row["mode"] for row in result["rows"]] == list(schema.FUSION_MODES)
        assert 1 <= result["n_questions"] <= 10
        for row in result["rows"]:
            assert row["recall_at_1"] <= row["recall_at_3"] <= row["recall_at_10"] == 1.0
            assert row["recall_at_1"] <= row["reciprocal_rank"] <= 1.0

    run(scenario)


def test_a_self_test_of_nothing_says_so(run: Callable[..., Any]) -> None:
    async def scenario(desk: Desk) -> None:
        assert (await desk.ask("self_test", n_questions=10))["code"] == "library_empty"

    run(scenario)


def test_filters_mode_and_number_of_passages_change_an_answer(run: Callable[..., Any]) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        elsewhere = schema.NO_FILTER | {"sites": ["kitchen.example"]}
        tomorrow = schema.NO_FILTER | {"after": 1e15}
        question = "When do spring tides occur?"
        for chosen in (elsewhere, tomorrow):
            answer = (await desk.ask("ask", question=question, sources=[], filter=chosen))["result"]
            assert not answer["found"]
        fields = {"question": question, "sources": [], "k": 1, "mode": "lexical"}
        answer = (await desk.ask("ask", **fields))["result"]
        assert (answer["found"], answer["semantic"], len(answer["hits"])) == (True, False, 1)
        recent = schema.NO_FILTER | {"prefer_recent": True}
        (hit,) = (await desk.ask("search", query="moon", sources=[], k=1, mode="convex", filter=recent))[
            "result"
        ]
        assert hit["recency"] > 0.0
        assert hit["rank_fused"] == 1

    run(scenario)


def test_one_bad_tab_does_not_stop_the_others(run: Any) -> None:
    tabs = {
        1: TIDES,
        2: HostError("tab_gone", "closed"),
        3: capture_of("https://empty.example/", "Nothing"),
        4: BREAD,
    }

    async def scenario(desk: Desk) -> None:
        end = await desk.add(1, 2, 3, 4)
        assert states(end["result"]) == ["added", "failed", "failed", "added"]
        codes = [row["failure"]["code"] for row in end["result"] if row["failure"]]
        assert codes == ["tab_gone", "page_empty"]

    run(scenario, tabs)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"url": "chrome://settings"}, "page_system"),
        ({"url": "view-source:https://a.example"}, "page_system"),
        ({"url": "https://chromewebstore.google.com/detail/x"}, "page_system"),
        ({"asleep": True}, "tab_asleep"),
        ({"private": True}, "tab_is_private"),
    ],
)
def test_tabs_that_cannot_be_read_say_why(run: Any, changes: dict[str, Any], code: str) -> None:
    async def scenario(desk: Desk) -> None:
        end = await desk.ask(
            "index",
            tabs=[
                tab_record(1, "https://sea.example/", **changes)
                if "url" not in changes
                else tab_record(1, **changes)
            ],
        )
        assert end["result"][0]["failure"]["code"] == code

    run(scenario)


BANK = capture_of("https://www.paypal.com/summary", "Balance", "Your balance is 12 euros and 30 cents today.")


def failure_of(end: dict[str, Any], place: int = 0) -> tuple[str, str]:
    failure = end["result"][place]["failure"]
    return failure["code"], failure["subject"]


def test_a_page_that_a_rule_keeps_out_is_never_captured(run: Any) -> None:
    class Untouchable(Exception):
        pass

    async def scenario(desk: Desk) -> None:
        desk.tabs[1] = Untouchable()  # type: ignore[assignment]
        end = await desk.ask("index", tabs=[tab_record(1, BANK.url)])
        assert failure_of(end) == ("page_never_read", "bank")
        assert (await desk.ask("library"))["result"] == []

    run(scenario, {1: BANK})


def test_the_word_of_the_reader_lets_a_page_in_once(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        end = await desk.ask("index", tabs=[tab_record(1, BANK.url, allowed=True)])
        assert states(end["result"]) == ["added"]
        assert failure_of(await desk.ask("index", tabs=[tab_record(1, BANK.url)])) == (
            "page_never_read",
            "bank",
        )

    run(scenario, {1: BANK})


def test_rules_of_the_reader_are_kept_by_the_engine(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        rules = [
            {"effect": "allow", "pattern": "www.paypal.com"},
            {"effect": "deny", "pattern": "*.sea.example"},
        ]
        desk.settings.stored = default_settings() | {"rules": rules}
        end = await desk.add(1, 2)
        assert states(end["result"]) == ["added", "failed"]
        assert failure_of(end, 1) == ("page_never_read", "own")

    run(scenario, {1: BANK, 2: TIDES})


def test_a_tab_that_went_to_a_forbidden_page_meanwhile_is_not_kept(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        end = await desk.ask("index", tabs=[tab_record(1, "https://shop.example/")])
        assert failure_of(end) == ("page_never_read", "bank")
        assert (await desk.ask("library"))["result"] == []

    run(scenario, {1: BANK})


@pytest.mark.parametrize("field", ["has_password", "has_payment"])
def test_a_page_that_asks_for_a_secret_is_kept_only_when_confirmed(run: Any, field: str) -> None:
    async def scenario(desk: Desk) -> None:
        end = await desk.add(1, 2)
        assert states(end["result"]) == ["failed", "added"]
        assert failure_of(end) == (f"page_{field}", TIDES.url)
        end = await desk.ask("index", tabs=[tab_record(1, TIDES.url, confirmed=True)])
        assert states(end["result"]) == ["added"]

    run(scenario, {1: replace(TIDES, **{field: True}), 2: BREAD})


def test_nothing_is_read_while_the_settings_cannot_be(run: Any) -> None:
    class Lost:
        async def settings(self) -> object:
            raise HostError("host_failed")

    async def scenario(desk: Desk) -> None:
        desk.service._settings = Lost()
        assert (await desk.add(1))["code"] == "host_failed"
        assert (await desk.ask("library"))["result"] == []

    run(scenario)


def test_addresses_of_one_page_have_one_source(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        urls = [
            "https://a.example/x?utm_source=y#z",
            "https://a.example/x",
            "https://a.example:443/x?gclid=1",
        ]
        found = (await desk.ask("locate", urls=urls))["result"]
        assert found == [{"url": url, "source": "https://a.example/x"} for url in urls]

    run(scenario)


def test_everything_is_removed_and_found_again_after_undo(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        assert (await desk.ask("remove_all"))["result"]["n_pages"] == 0
        gone = await desk.ask("ask", question="How large is the tidal range?", sources=[])
        assert gone["code"] == "library_empty"
        stats = (await desk.ask("restore_all"))["result"]
        assert (stats["n_pages"], stats["n_vectors"]) == (2, stats["n_chunks"])
        again = await desk.ask("ask", question="How large is the tidal range?", sources=[])
        assert again["result"]["found"] is True

    run(scenario)


def test_an_unchanged_page_is_left_alone_and_a_changed_one_embeds_only_what_changed(run: Any) -> None:
    paragraphs = [f"Paragraph {i} tells about topic{i} " + f"word{i} " * 110 + "." for i in range(4)]
    tabs = {
        1: capture_of("https://a.example/", "Long", *paragraphs, headings=[f"Part {i}" for i in range(4)])
    }

    async def scenario(desk: Desk) -> None:
        assert states((await desk.add(1))["result"]) == ["added"]
        n_first = desk.embedder.n_texts
        assert states((await desk.add(1))["result"]) == ["unchanged"]
        assert desk.embedder.n_texts == n_first
        changed = [*paragraphs[:3], paragraphs[3] + " A new last sentence stands here."]
        desk.tabs[1] = capture_of(
            "https://a.example/", "Long", *changed, headings=[f"Part {i}" for i in range(4)]
        )
        assert states((await desk.add(1))["result"]) == ["updated"]
        assert 0 < desk.embedder.n_texts - n_first <= 2 < n_first
        stats = (await desk.ask("hello"))["result"]["stats"]
        assert stats["n_pages"] == 1
        assert stats["n_chunks"] == stats["n_vectors"]

    run(scenario, tabs)


def test_a_citation_of_a_pdf_names_its_page_and_leads_there(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        (row,) = (await desk.add(1))["result"]
        assert (row["state"], row["page"]["n_pages"]) == ("added", 2)
        answer = (await desk.ask("ask", question=FUNDY, sources=[]))["result"]
        assert [citation["page_number"] for citation in answer["citations"]] == [2]
        await desk.ask("show", citation=answer["citations"][0])
        assert desk.viewer.page_number == 2

    run(scenario, {1: REPORT})


def test_a_given_file_is_asked_like_a_page_and_not_opened(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.files.files["blob:1"] = replace(REPORT, url="file:tides%20%231.pdf")
        row = (await desk.ask("add_file", name="tides #1.pdf", url="blob:1"))["result"]
        assert (row["tab_id"], row["state"], row["page"]["url"]) == (-1, "added", "file:tides%20%231.pdf")
        answer = (await desk.ask("ask", question=FUNDY, sources=[]))["result"]
        end = await desk.ask("show", citation=answer["citations"][0])
        assert (end["type"], end["code"]) == ("error", "file_not_kept")
        assert desk.viewer.shown == []

    run(scenario)


def test_given_files_of_one_name_are_one_page_only_when_they_say_the_same(run: Any) -> None:
    other = capture_of("file:notes.txt", "Notes", "Bake the loaf at 240 degrees Celsius for 35 minutes.")

    async def scenario(desk: Desk) -> None:
        first = replace(REPORT, url="file:notes.txt")
        desk.files.files = {"blob:1": first, "blob:2": other, "blob:3": first}
        rows = [(await desk.ask("add_file", name="notes.txt", url=f"blob:{n}"))["result"] for n in (1, 2, 3)]
        assert [row["state"] for row in rows] == ["added", "added", "unchanged"]
        sources = [row["page"]["source"] for row in rows]
        assert sources[0] == sources[2] != sources[1]
        assert re.fullmatch("file:notes\\.txt#[0-9a-f]{12}", sources[0])
        listed = (await desk.ask("library"))["result"]
        assert [page["source"] for page in listed] == sources[:2]
        answer = (await desk.ask("ask", question=FUNDY, sources=[sources[0]]))["result"]
        assert {citation["source"] for citation in answer["citations"]} == {sources[0]}
        await desk.ask("remove", source=sources[1])
        assert len((await desk.ask("library"))["result"]) == 1

    run(scenario)


def test_a_given_file_that_is_gone_fails_in_its_row(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.files.files["blob:1"] = InputError("file_missing", subject="a.pdf")
        row = (await desk.ask("add_file", name="a.pdf", url="blob:1"))["result"]
        assert (row["state"], row["failure"]["code"]) == ("failed", "file_missing")

    run(scenario)


def test_the_same_page_in_two_tabs_is_one_source(run: Any) -> None:
    twin = capture_of(
        "https://sea.example/tides?utm_medium=x",
        TIDES.title,
        "One long enough paragraph here.",
    )

    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        assert len((await desk.ask("library"))["result"]) == 1

    run(scenario, {1: TIDES, 2: twin})


def test_words_work_while_the_model_is_missing_and_meaning_follows(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        end = await desk.add(1)
        assert states(end["result"]) == ["added"]
        answer = (await desk.ask("ask", question="When do spring tides occur?", sources=[]))["result"]
        assert answer["found"]
        assert answer["semantic"] is False
        await desk.add(2)
        assert (await desk.ask("hello"))["result"]["semantic"] is True

    run(scenario, embedder=BagEmbedder(fail_at=1))


def test_embedding_left_undone_is_finished_at_the_next_start(run: Any) -> None:
    async def first(desk: Desk) -> None:
        await desk.add(1, 2)
        assert (await desk.ask("hello"))["result"]["stats"]["n_vectors"] == 0

    async def second(desk: Desk) -> None:
        await desk.service.settle()
        stats = (await desk.ask("hello"))["result"]["stats"]
        assert stats["n_vectors"] == stats["n_chunks"] > 0

    run(first, embedder=BagEmbedder(fail_at=1))
    run(second)


def test_the_library_is_there_after_a_restart(run: Any) -> None:
    async def first(desk: Desk) -> None:
        await desk.add(1, 2)

    async def second(desk: Desk) -> None:
        titles = [row["title"] for row in (await desk.ask("hello"))["result"]["pages"]]
        assert titles == ["Tides", "Sourdough"]
        answer = (await desk.ask("ask", question="At what temperature is the loaf baked?", sources=[]))[
            "result"
        ]
        assert "240" in answer["sentences"][0]["text"]
        assert desk.embedder.n_calls == 2  # the question and its candidates, nothing of the pages

    run(first)
    run(second)


def test_a_removed_page_is_not_cited_and_comes_back(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        source = "https://sea.example/tides"
        assert (await desk.ask("remove", source=source))["result"]["n_pages"] == 1
        gone = await desk.ask("ask", question="How large is the tidal range in the Bay of Fundy?", sources=[])
        assert source not in {c["source"] for c in gone["result"]["citations"]}
        assert (await desk.ask("restore", source=source))["result"]["n_pages"] == 2
        back = await desk.ask("ask", question="How large is the tidal range in the Bay of Fundy?", sources=[])
        assert "16.3" in back["result"]["sentences"][0]["text"]

    run(scenario)


def test_an_unknown_source_is_an_error(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        end = await desk.ask("remove", source="https://nowhere.example/")
        assert (end["type"], end["code"]) == ("error", "source_unknown")

    run(scenario)


@pytest.mark.parametrize(
    ("question", "code"),
    [("", "question_empty"), (" \n ", "question_empty"), ("x" * 10_001, "question_too_long")],
)
def test_a_question_that_cannot_be_used_says_why(run: Any, question: str, code: str) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        end = await desk.ask("ask", question=question, sources=[])
        assert (end["type"], end["code"]) == ("error", code)

    run(scenario)


def test_a_question_to_an_empty_library_says_so(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        assert (await desk.ask("ask", question="Anything?", sources=[]))["code"] == "library_empty"

    run(scenario)


def test_showing_a_citation_passes_its_place_on(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        answer = (await desk.ask("ask", question="When do spring tides occur?", sources=[]))["result"]
        end = await desk.ask("show", citation=answer["citations"][0])
        assert end["result"] == {"found": True, "tab_id": 7}
        url, quote, _, _ = desk.viewer.shown[0]
        assert (url, quote) == (TIDES.url, answer["citations"][0]["quote"])

    run(scenario)


@pytest.mark.parametrize("steps", range(0, 40, 3))
def test_cancel_at_any_moment_ends_once_and_leaves_a_sound_library(run: Any, steps: int) -> None:
    async def scenario(desk: Desk) -> None:
        job = desk.send("index", tabs=[desk.tab(1), desk.tab(2)])
        for _ in range(steps):
            await asyncio.sleep(0)
        cancel = desk.send("cancel", target=job)
        await desk.service.settle()
        assert desk.end_of(job)["type"] in ("cancelled", "done")
        assert desk.end_of(cancel)["type"] == "done"
        assert desk.library
        assert list(desk.library.store.check()) == []
        assert states((await desk.add(1, 2))["result"]) in (
            ["added"] * 2,
            ["unchanged", "added"],
            ["unchanged"] * 2,
        )
        stats = (await desk.ask("hello"))["result"]["stats"]
        assert stats["n_vectors"] == stats["n_chunks"]

    run(scenario)


def test_two_jobs_on_one_page_do_its_work_once(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        first = desk.send("index", tabs=[desk.tab(1)])
        second = desk.send("index", tabs=[desk.tab(1)])
        await desk.service.settle()
        assert states(desk.end_of(first)["result"]) == ["added"]
        assert states(desk.end_of(second)["result"]) == ["unchanged"]

    run(scenario)


def test_a_page_the_engine_died_on_twice_is_set_aside_once(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        assert desk.library
        for _ in range(2):
            desk.library.store.begin_attempt("https://sea.example/tides")  # type: ignore[arg-type]
        end = await desk.add(1, 2)
        assert states(end["result"]) == ["failed", "added"]
        assert end["result"][0]["failure"]["code"] == "page_set_aside"
        assert states((await desk.add(1))["result"]) == ["added"]

    run(scenario)


def test_a_damaged_library_is_reported_and_can_be_replaced(run: Any, tmp_path: Path) -> None:
    (tmp_path / "library.db").write_bytes(b"SQLite format 3\x00" + b"\xff" * 4000)

    async def scenario(desk: Desk) -> None:
        assert (await desk.ask("hello"))["code"] == "store_corrupt"
        assert (await desk.add(1))["code"] == "store_corrupt"
        fresh = await desk.ask("reset_library")
        assert fresh["result"]["stats"]["n_pages"] == 0
        assert states((await desk.add(1))["result"]) == ["added"]
        assert (tmp_path / "library.damaged.db").stat().st_size == 4016

    run(scenario)


def test_a_sound_library_is_not_reset(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        assert (await desk.ask("reset_library"))["type"] == "error"
        assert len((await desk.ask("library"))["result"]) == 1

    run(scenario)


def test_a_malformed_request_gets_one_error_and_the_next_is_served(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.service.dispatch(json.dumps({"v": 1, "id": "bad", "type": "ask", "question": 5, "sources": []}))
        desk.service.dispatch("not json at all")
        assert desk.end_of("bad")["code"] == "wire_invalid"
        assert (await desk.ask("library"))["type"] == "done"

    run(scenario)


def test_a_bug_inside_ends_the_request_as_internal_error(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(desk: Desk) -> None:
        monkeypatch.setattr(Library, "pages", lambda self: 1 / 0)
        end = await desk.ask("library")
        assert (end["code"], end["retryable"]) == ("internal", True)
        monkeypatch.undo()

    run(scenario)


FUNDY_ENTRY = "The largest tidal range of the Bay of Fundy is 16.3 metres"
SPOKEN = "The tidal range in the Bay of Fundy is as large as sixteen metres."


def test_a_selection_is_added_beside_its_page(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        desk.tabs[1] = replace(capture_of(TIDES.url, "Tides", SPOKEN), is_selection=True)
        end = await desk.ask("index", tabs=[tab_record(1, TIDES.url, selection=True)])
        assert states(end["result"]) == ["added"]
        assert end["result"][0]["page"]["title"] == "Selection from Tides"
        assert (await desk.ask("hello"))["result"]["stats"]["n_pages"] == 2

    run(scenario, {1: TIDES})


def line(time: str, text: str) -> Node:
    return Node("div", (), (Node("div", (), (time,)), Node("span", (), (text,))))


def test_a_citation_of_a_transcript_knows_the_time_and_leads_there(run: Any) -> None:
    others = ["Hello and welcome.", "Let us begin.", "That was the first part.", "Thank you for watching."]
    lines = [line(f"{minute}:05", text) for minute, text in enumerate([*others[:2], SPOKEN, *others[2:]])]
    url = "https://www.youtube.com/watch?v=tides"
    lecture = replace(capture_of(url, "Tides"), root=Node("body", (), tuple(lines)), has_video=True)

    async def scenario(desk: Desk) -> None:
        (row,) = (await desk.add(1))["result"]
        assert row["page"]["no_captions"] is False
        answer = (await desk.ask("ask", question=FUNDY, sources=[]))["result"]
        assert answer["citations"][0]["seconds"] == 125
        await desk.ask("show", citation=answer["citations"][0])
        assert desk.viewer.moment_url == f"{url}&t=125s"

    run(scenario, {1: lecture})


def test_a_citation_of_an_entry_of_a_list_knows_where_the_entry_leads(run: Any) -> None:
    told = [FUNDY_ENTRY, "The moon and its pull on the water", "A day of fishing at the northern coast"]
    entries = [
        Node(
            "li",
            (),
            (Node("a", (("href", f"/item/{n}"),), (text,)), " 40 points by ada, 3 hours ago"),
        )
        for n, text in enumerate(told)
    ]
    root = Node("body", (), (Node("ul", (), tuple(entries)),))
    news = replace(capture_of("https://news.example/", "News"), root=root)

    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        answer = (await desk.ask("ask", question=FUNDY, sources=["https://news.example/"]))["result"]
        assert answer["citations"][0]["link"] == "https://news.example/item/0"
        article = (await desk.ask("ask", question=FUNDY, sources=["https://sea.example/tides"]))["result"]
        assert article["citations"][0]["link"] is None

    run(scenario, {1: news, 2: TIDES})


def test_a_video_without_a_transcript_is_said_to_have_no_captions(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        assert [row["page"]["no_captions"] for row in (await desk.add(1, 2))["result"]] == [True, False]

    run(scenario, {1: replace(TIDES, has_video=True), 2: REPORT})
