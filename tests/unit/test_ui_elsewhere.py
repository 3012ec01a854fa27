"""Two panels on one conversation: what is done in one shows in the other."""

from tabwise.protocol import codec
from tabwise.ui import client
from ui_driver import Driver, Record, answer, citation, sentence, tab
from ui_threads import asked, opened, row, states, turn

A = "https://a.example/"
TOLD = answer(sentence("Because."), citations=(citation(1),))


def two_panels(*turns: str) -> tuple[Driver, Driver]:
    saved = [turn(name, parent) for name, parent in zip(turns, ("", *turns), strict=False)]
    one, other = (opened(*saved, rows=(row("bread"),), name=name) for name in ("one", "other"))
    return one, other


def ask_in(panel: Driver, question: str, other: Driver) -> Record:
    """Ask in one panel; the channel takes the request to the other."""
    panel.do("draft", value=question)
    before = len(panel.effects)
    panel.do("ask")
    pass_on(panel, before, other)
    return panel.last("ask")


def pass_on(panel: Driver, before: int, other: Driver) -> None:
    for effect in panel.effects[before:]:
        if effect[0] == "post":
            other.do("wire", text=effect[1])


def test_a_question_asked_in_one_panel_streams_in_the_other() -> None:
    one, other = two_panels("t1")
    request = ask_in(one, "Why?", other)
    assert asked(other) == ["What is t1?", "Why?"]
    for panel in (one, other):
        panel.event(request, "sentence", index=0, sentence=sentence("Because."), citations=[citation(1)])
    assert other.state["blocks"][-1]["sentences"][0]["text"] == "Because."
    for panel in (one, other):
        panel.done(request, TOLD)
    assert states(other) == ["done", "done"]
    assert other.state["blocks"][-1]["answer"] == one.state["blocks"][-1]["answer"]
    assert request["id"] not in other.state["pending"]


def test_either_panel_stops_it() -> None:
    one, other = two_panels("t1")
    request = ask_in(one, "Why?", other)
    other.press("stop")
    assert other.last("cancel")["target"] == request["id"]
    one.event(request, "cancelled")
    assert (states(one)[-1], states(other)[-1]) == ("stopped", "stopped")


def test_the_next_question_follows_what_was_asked_elsewhere() -> None:
    one, other = two_panels("t1")
    request = ask_in(one, "Why?", other)
    for panel in (one, other):
        panel.done(request, TOLD)
    follow_up = ask_in(other, "And then?", one)
    assert follow_up["parent"] == request["id"]
    assert asked(one) == asked(other) == ["What is t1?", "Why?", "And then?"]


def test_what_is_being_answered_here_stays_in_sight() -> None:
    one, other = two_panels("t1")
    other.do("draft", value="Mine?")
    other.do("ask")
    ask_in(one, "Theirs?", other)
    assert asked(other) == ["What is t1?", "Mine?"]
    assert [block["question"] for block in other.state["blocks"]] == ["What is t1?", "Mine?", "Theirs?"]


def test_a_question_of_a_panel_that_closed_is_asked_for_again() -> None:
    one, other = two_panels("t1")
    request = ask_in(one, "Why?", other)
    before = len(other.requests())
    other.fire("check")
    assert [again["id"] for again in other.requests()[before:]] == [request["id"]]
    assert client.SILENCE_MS in [effect[1] for effect in other.effects if effect[0] == "timer"]


def test_questions_of_other_conversations_are_not_shown() -> None:
    one, other = two_panels("t1")
    one.do("new_thread")
    ask_in(one, "Alone?", other)
    assert asked(other) == ["What is t1?"]


def test_what_is_taken_away_or_renamed_in_one_panel_is_in_the_other() -> None:
    one, other = two_panels("t1", "t2")
    before = len(one.effects)
    one.do("dismiss", block="t2")
    pass_on(one, before, other)
    assert asked(other) == ["What is t1?"]
    other.do("wire", text=codec.encode_request("r", "rename_thread", thread="sea", title=" The  sea "))
    assert other.state["history"]["rows"][0]["title"] == "The sea"
    other.do("wire", text=codec.encode_request("g", "remove_threads", threads=["bread", "sea"]))
    assert (other.state["thread"], other.state["blocks"]) == ("", [])


def test_a_page_without_the_conversation_takes_no_notice() -> None:
    driver = Driver().ready()
    driver.do("tabs", tabs=[tab(1, A)])
    before = driver.state
    driver.do("wire", text=codec.encode_request("r", "ask", question="Why?", sources=[], thread="sea"))
    assert driver.state is before


def test_a_question_that_is_brought_back_in_one_panel_is_back_in_the_other() -> None:
    one, other = two_panels("t1", "t2")
    before = len(one.effects)
    one.do("dismiss", block="t2")
    pass_on(one, before, other)
    before = len(one.effects)
    one.press("undo")
    pass_on(one, before, other)
    assert asked(one) == asked(other) == ["What is t1?", "What is t2?"]


def test_the_only_question_comes_back_where_nothing_else_was_opened() -> None:
    for begins_anew, shown in ((False, ["What is t1?"]), (True, [])):
        one, other = two_panels("t1")
        before = len(one.effects)
        one.do("dismiss", block="t1")
        pass_on(one, before, other)
        if begins_anew:
            other.do("new_thread")
        before = len(one.effects)
        one.press("undo")
        pass_on(one, before, other)
        assert asked(other) == shown
