"""The chat: asking, streaming, stopping, excerpts, copying, the keyboard."""

from typing import Any

import pytest

from tabwise.protocol.schema import VERDICTS
from tabwise.ui.markdown import answer_markdown
from tabwise.ui.state import MAX_QUESTION_CHARS
from ui_driver import Driver, answer, citation, page, sentence, tab, text_of

A, B = "https://a.example/", "https://b.example/"


@pytest.fixture
def driver() -> Driver:
    ready = Driver().ready(page(A), page(B))
    ready.do("tabs", tabs=[tab(1, A)])
    return ready


def key(driver: Driver, name: str, field: str = "question", **more: bool) -> list[tuple[Any, ...]]:
    event = {"key": name, "field": field, "target": "", "shift": False, "command": False}
    event |= {"composing": False} | more
    return driver.do("key", **event)


def test_enter_asks_and_empties_the_box(driver: Driver) -> None:
    driver.do("draft", value="  Why?  ")
    assert ("prevent",) in key(driver, "Enter")
    assert driver.last("ask")["question"] == "Why?"
    assert driver.state["draft"] == ""


@pytest.mark.parametrize("more", [{"shift": True}, {"composing": True}])
def test_enter_with_shift_or_while_composing_does_not_ask(driver: Driver, more: dict[str, bool]) -> None:
    driver.do("draft", value="Why?")
    assert key(driver, "Enter", **more) == []


def test_a_question_of_the_longest_length_is_asked(driver: Driver) -> None:
    assert driver.ask("w" * MAX_QUESTION_CHARS)["question"] == "w" * MAX_QUESTION_CHARS


def test_a_longer_question_is_refused_and_kept(driver: Driver) -> None:
    question = "w" * (MAX_QUESTION_CHARS + 1)
    driver.do("draft", value=question)
    driver.do("ask")
    assert [node[1]["data-code"] for node in driver.shown("error")] == ["question_too_long"]
    assert driver.state["draft"] == question


def test_a_question_without_any_page_offers_to_add_one() -> None:
    driver = Driver().ready()
    driver.do("draft", value="Why?")
    driver.do("ask")
    assert driver.state["draft_error"] == "library_empty"
    assert driver.state["draft"] == "Why?"


def test_sentences_appear_as_they_arrive_with_their_verdicts(driver: Driver) -> None:
    request = driver.ask()
    driver.event(request, "sentence", index=0, sentence=sentence("One."), citations=[citation(1)])
    driver.event(request, "sentence", index=1, sentence=sentence("Two.", "contradicted"), citations=[])
    assert [node[1]["data-verdict"] for node in driver.shown("sentence")] == ["supported", "contradicted"]
    assert driver.shown("answer")[0][1]["aria-busy"] == "true"


def test_a_replayed_sentence_replaces_the_first_one(driver: Driver) -> None:
    request = driver.ask()
    for text in ("One.", "One again."):
        driver.event(request, "sentence", index=0, sentence=sentence(text), citations=[citation(1)])
    assert [text_of(node) for node in driver.shown("sentence")] == ["One again. \u00a0 1"]


def test_the_whole_answer_replaces_what_was_streamed(driver: Driver) -> None:
    request = driver.ask()
    driver.event(request, "sentence", index=0, sentence=sentence("Draft."), citations=[citation(1)])
    effects = driver.done(request, answer(sentence("Final."), citations=(citation(1),)))
    assert [node[1]["data-state"] for node in driver.shown("answer")] == ["done"]
    assert "Final." in text_of(driver.shown("sentence")[0])
    assert ("announce", "Answer ready, 1 sentence. Final.") in effects


def test_progress_is_not_announced(driver: Driver) -> None:
    request = driver.ask()
    assert driver.event(request, "progress", stage="verify", done=1, total=3, unit="sentences") == []
    assert "1 of 3 sentences" in text_of(driver.shown("progress")[0])


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_verdict_has_an_accessible_name_and_all_but_support_say_it(driver: Driver, verdict: str) -> None:
    driver.done(driver.ask(), answer(sentence("It is.", verdict), citations=(citation(1),)))
    shown = driver.shown("sentence")[0]
    marks = [node for node in shown[2] if node[1].get("role") == "img"]
    assert len(marks[0][1]["aria-label"]) > 5
    assert (marks[0][1]["aria-label"] in text_of(shown)) == (verdict != "supported")


def test_nothing_found_is_said_plainly(driver: Driver) -> None:
    driver.done(driver.ask(), answer())
    assert "Nothing on your pages answers this." in text_of(driver.shown("answer")[0])


def test_word_search_only_is_noted(driver: Driver) -> None:
    driver.done(driver.ask(), answer(sentence(), citations=(citation(1),), semantic=False))
    assert "Word search only while the model loads" in text_of(driver.shown("answer")[0])


def test_stop_is_shown_while_working_and_stops_at_once(driver: Driver) -> None:
    assert driver.shown("stop") == []
    request = driver.ask()
    assert driver.shown("ask") == []
    driver.press("stop")
    assert driver.last("cancel")["target"] == request["id"]
    assert driver.shown("answer")[0][1]["data-state"] == "stopped"
    assert driver.shown("stop") == []


def test_what_arrives_after_stop_is_not_shown(driver: Driver) -> None:
    request = driver.ask()
    driver.do("stop")
    driver.event(request, "sentence", index=0, sentence=sentence("Late."), citations=[citation(1)])
    driver.done(request, answer(sentence("Late."), citations=(citation(1),)))
    assert driver.shown("sentence") == []
    assert driver.shown("answer")[0][1]["data-state"] == "stopped"


def test_escape_closes_the_excerpt_first_and_then_stops(driver: Driver) -> None:
    request = driver.ask()
    driver.event(request, "sentence", index=0, sentence=sentence(), citations=[citation(1)])
    driver.do("chip_enter", block=request["id"], number=1, chip="x")
    key(driver, "Escape", "")
    assert driver.shown("card") == []
    assert driver.shown("answer")[0][1]["data-state"] == "working"
    key(driver, "Escape", "")
    assert driver.shown("answer")[0][1]["data-state"] == "stopped"


@pytest.mark.parametrize(
    ("name", "field", "command"), [("k", "text", True), ("K", "", True), ("/", "", False)]
)
def test_a_shortcut_leads_to_the_question(driver: Driver, name: str, field: str, command: bool) -> None:
    driver.do("view", value="pages")
    effects = key(driver, name, field, command=command)
    assert ("focus", "question") in effects
    assert driver.state["view"] == "chat"


def test_a_slash_in_a_text_field_is_a_slash(driver: Driver) -> None:
    assert key(driver, "/", "text") == []
    assert key(driver, "/", "question") == []


def test_arrows_switch_the_views(driver: Driver) -> None:
    assert ("focus", "view-pages") in key(driver, "ArrowRight", "view")
    assert ("focus", "view-chat") in key(driver, "Home", "view")


def test_an_excerpt_shows_the_quote_in_its_surroundings(driver: Driver) -> None:
    request = driver.ask()
    driver.done(request, answer(sentence(), citations=(citation(1, quote="The quote."),)))
    chip = driver.shown("chip")[0]
    driver.do(**_as_event(chip[1]["on-enter"]))
    card = driver.shown("card")[0]
    assert text_of(card).count("Before.  The quote.  After.") == 1
    assert driver.shown("chip")[0][1]["aria-describedby"] == card[1]["id"]


def test_an_excerpt_stays_while_the_pointer_is_on_it(driver: Driver) -> None:
    request = driver.ask()
    driver.done(request, answer(sentence(), citations=(citation(1),)))
    driver.do("chip_enter", block=request["id"], number=1, chip="x")
    driver.do("chip_leave")
    driver.do("card_enter")
    driver.fire("card_expire")
    assert len(driver.shown("card")) == 1
    driver.do("card_leave")
    driver.fire("card_expire")
    assert driver.shown("card") == []


def test_a_chip_goes_to_its_passage(driver: Driver) -> None:
    driver.done(driver.ask(), answer(sentence(), citations=(citation(1, B),)))
    driver.press("chip")
    assert driver.last("show")["citation"] == citation(1, B)


def test_words_that_are_gone_from_the_page_are_told(driver: Driver) -> None:
    driver.done(driver.ask(), answer(sentence(), citations=(citation(1),)))
    driver.press("chip")
    driver.done(driver.last("show"), {"found": False, "tab_id": -1})
    assert "no longer on it" in text_of(driver.draw())


def test_a_failed_question_can_be_asked_again(driver: Driver) -> None:
    driver.event(driver.ask(), "error", code="internal", subject="", message="", retryable=True)
    retry = next(node for node in driver.shown("error")[0][2] if node[0] == "button")
    driver.do(**_as_event(retry[1]["on-click"]))
    assert [node[1]["data-state"] for node in driver.shown("answer")] == ["working"]
    assert len([request for request in driver.requests() if request["type"] == "ask"]) == 2


def test_a_restart_is_noted_on_the_open_question(driver: Driver) -> None:
    driver.notice("ready", "e1")
    driver.ask()
    driver.notice("restarting", "e2")
    assert "The engine stopped and is being restarted" in text_of(driver.draw())
    driver.notice("ready", "e2")
    assert "your question went on" in text_of(driver.shown("answer")[0])


def test_the_scope_chooses_the_sources(driver: Driver) -> None:
    assert driver.ask()["sources"] == []
    driver.do("stop")
    driver.do("scope", value="open")
    assert driver.ask()["sources"] == [A]


def test_a_scope_whose_pages_are_closed_falls_back_to_all(driver: Driver) -> None:
    driver.do("scope", value="open")
    driver.do("tabs", tabs=[tab(1, "https://elsewhere.example/")])
    assert driver.ask()["sources"] == []


def test_starter_questions_come_from_the_pages_added() -> None:
    driver = Driver().ready(page(A, "Tidal power, a survey - The Tidal Review"))
    assert "“Tidal power, a survey”" in text_of(driver.draw())
    assert "The Tidal Review" not in text_of(driver.draw())


def test_each_starter_question_is_about_another_page() -> None:
    driver = Driver().ready(*(page(f"https://{name}.example/", name) for name in ("Alpha", "Beta", "Gamma")))
    shown = text_of(driver.draw())
    assert [name for name in ("“Alpha”", "“Beta”", "“Gamma”") if shown.count(name) == 1] == [
        "“Alpha”",
        "“Beta”",
        "“Gamma”",
    ]


def test_markdown_has_numbered_sources_and_marks_doubt(driver: Driver) -> None:
    request = driver.ask("Is 2 * 3 = 6?")
    sentences = (sentence("Yes.", numbers=(1, 2)), sentence("No.", "contradicted", (2,)))
    driver.done(request, answer(*sentences, citations=(citation(1), citation(2, "https://b.example/a_(b)"))))
    assert answer_markdown(driver.state["blocks"][0]) == (
        "## Is 2 \\* 3 = 6?\n\n"
        "Yes. [1][2]\n\n"
        "No. [2] *(Contradicted by its source)*\n\n"
        "1. [A title](https://a.example/): “The quote.”\n"
        "2. [A title](https://b.example/a_%28b%29): “The quote.”\n"
    )


def _as_event(event: dict[str, Any]) -> dict[str, Any]:
    return {"kind": event["type"]} | {name: value for name, value in event.items() if name != "type"}


def test_a_source_leads_to_the_cited_entries_each_once() -> None:
    driver = Driver().ready(page(A))
    links = ("https://news.example/1", "https://news.example/2", "https://news.example/1", None)
    cited = [citation(number, A) | {"link": link} for number, link in enumerate(links, 1)]
    driver.done(driver.ask(), answer(*[sentence(numbers=(n,)) for n in range(1, 5)], citations=tuple(cited)))
    shown = driver.shown("entry-link")
    assert [text_of(node) for node in shown] == [
        "Open entry 1   news.example",
        "Open entry 2   news.example",
    ]
    assert shown[0][1]["rel"] == "noreferrer"
    assert driver.press("entry-link", 1) == [("open", "https://news.example/2")]


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "/item", ""])
def test_only_addresses_of_the_web_become_links(link: str) -> None:
    driver = Driver().ready(page(A))
    driver.done(driver.ask(), answer(sentence(), citations=(citation(1, A) | {"link": link},)))
    assert driver.shown("entry-link") == []
