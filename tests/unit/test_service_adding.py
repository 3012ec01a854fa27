"""Pages on their way into the library: what is read, kept out, replaced and left alone."""

from dataclasses import replace
from typing import Any

import pytest

from desk import BREAD, TIDES, Desk, states
from fakes import (
    capture_of,
    tab_record,
)
from tabwise.errors import HostError
from tabwise.protocol.settings import default_settings


@pytest.mark.fault("F12", "F14")
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
@pytest.mark.fault("F13", "F16", "F19")
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


@pytest.mark.fault("F68")
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
@pytest.mark.fault("F68")
def test_a_page_that_asks_for_a_secret_is_kept_only_when_confirmed(run: Any, field: str) -> None:
    async def scenario(desk: Desk) -> None:
        end = await desk.add(1, 2)
        assert states(end["result"]) == ["failed", "added"]
        assert failure_of(end) == (f"page_{field}", TIDES.url)
        end = await desk.ask("index", tabs=[tab_record(1, TIDES.url, confirmed=True)])
        assert states(end["result"]) == ["added"]

    run(scenario, {1: replace(TIDES, **{field: True}), 2: BREAD})


def test_nothing_is_read_while_the_settings_cannot_be(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.settings.error = HostError("host_failed")
        assert (await desk.add(1))["code"] == "host_failed"
        assert (await desk.ask("library"))["result"] == []

    run(scenario)


@pytest.mark.fault("F72")
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


@pytest.mark.fault("F72")
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


@pytest.mark.fault("F72")
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


@pytest.mark.fault("F29")
def test_two_jobs_on_one_page_do_its_work_once(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        first = desk.send("index", tabs=[desk.tab(1)])
        second = desk.send("index", tabs=[desk.tab(1)])
        await desk.service.settle()
        assert states(desk.end_of(first)["result"]) == ["added"]
        assert states(desk.end_of(second)["result"]) == ["unchanged"]

    run(scenario)


def test_saved_pages_can_be_asked_for_in_parts(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        every = (await desk.ask("library"))["result"]
        parts = [(await desk.ask("library", start=start, count=1))["result"] for start in range(3)]
        assert parts == [every[:1], every[1:], []]
        assert len(every) == 2
        assert (await desk.ask("hello", n_pages=1))["result"]["pages"] == every[:1]

    run(scenario)
