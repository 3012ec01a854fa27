"""The conversation that is open: versions of a question, earlier ones, what was interrupted, Markdown."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.protocol.tables.threads import N_WHOLE
from tabwise.ui.dates import date_of, time_of
from tabwise.ui.events.threads import RESUME_MS
from tabwise.ui.memo import Memo
from tabwise.ui.state import SHOWN
from tabwise.ui.text import file_name
from tabwise.ui.threads import newest_end, path_to
from ui_driver import NOW_MS, Driver, Record, citation, page, sentence, text_of
from ui_threads import TOLD, A, asked, opened, row, states, turn


def test_a_question_begins_a_conversation_and_the_next_follows_it() -> None:
    driver = Driver().ready(page(A))
    first = driver.ask()
    assert (first["thread"], first["parent"]) == (first["id"], "")
    driver.done(first, TOLD)
    second = driver.ask("And then?")
    assert (second["thread"], second["parent"]) == (first["thread"], first["id"])


def test_a_question_that_failed_is_followed_by_nothing() -> None:
    driver = Driver().ready(page(A))
    first = driver.ask()
    driver.done(first, TOLD)
    failed = driver.ask("What failed?")
    driver.event(failed, "error", code="engine_lost", subject="", message="", retryable=True)
    assert driver.ask("Next?")["parent"] == first["id"]


def test_a_question_stopped_before_an_answer_is_followed_by_nothing() -> None:
    driver = Driver().ready(page(A))
    driver.ask()
    driver.do("stop")
    assert driver.ask("Next?")["parent"] == ""


def test_a_question_stopped_within_its_answer_is_followed() -> None:
    driver = Driver().ready(page(A))
    request = driver.ask()
    driver.event(request, "sentence", index=0, sentence=sentence(), citations=[citation(1)])
    driver.do("stop")
    assert driver.ask("Next?")["parent"] == request["id"]


def test_asking_again_makes_another_version_beside_the_first() -> None:
    driver = Driver().ready(page(A))
    first = driver.ask()
    driver.done(first, TOLD)
    driver.do("again", block=first["id"])
    second = driver.last("ask")
    assert (second["question"], second["parent"]) == ("Why?", "")
    driver.done(second, TOLD)
    assert [text_of(node) for node in driver.shown("version")] == ["2 / 2"]
    driver.press("version-before")
    assert [node[1]["id"] for node in driver.shown("answer")] == ["block-" + first["id"]]
    chosen = driver.last("choose_turn")
    assert (chosen["thread"], chosen["turn"]) == (first["id"], first["id"])


def test_editing_asks_another_question_in_the_same_place() -> None:
    driver = opened(turn("t1"), turn("t2", "t1"))
    driver.do("edit", block="t1")
    assert driver.state["draft"] == "What is t1?"
    assert len(driver.shown("editing")) == 1
    request = driver.ask("What is it really?")
    assert (request["thread"], request["parent"]) == ("sea", "")
    assert driver.shown("editing") == []
    assert asked(driver) == ["What is it really?"]


def test_editing_can_be_left_with_escape() -> None:
    driver = opened(turn("t1"), turn("t2", "t1"))
    driver.do("edit", block="t1")
    event = {"key": "Escape", "field": "question", "target": "", "shift": False, "command": False}
    driver.do("key", composing=False, **event)
    assert (driver.state["editing"], driver.state["draft"]) == ("", "")
    assert driver.ask("Next?")["parent"] == "t2"


def test_going_to_another_version_shows_what_follows_it() -> None:
    turns = (turn("t1"), turn("t2", "t1"), turn("u1"), turn("u2", "u1"))
    driver = opened(*turns, head="u2")
    assert asked(driver) == ["What is u1?", "What is u2?"]
    driver.do("version", block="u1", by=-1)
    assert asked(driver) == ["What is t1?", "What is t2?"]
    assert driver.last("choose_turn")["turn"] == "t2"


def test_a_recent_conversation_is_open_again_when_the_panel_opens() -> None:
    driver = opened(turn("t1"))
    assert asked(driver) == ["What is t1?"]
    assert driver.ask("Next?")["thread"] == "sea"


def test_an_older_conversation_stays_in_the_history() -> None:
    driver = Driver()
    driver.saved = [row("sea", updated_at=NOW_MS - RESUME_MS - 1)]
    driver.ready(page(A))
    assert [request for request in driver.requests() if request["type"] == "thread"] == []


def test_an_interrupted_answer_is_marked_and_asked_again() -> None:
    part = {"sentences": [sentence("Half.")], "citations": [citation(1)]}
    driver = opened(turn("t1", state="interrupted", **part))
    assert states(driver) == ["interrupted"]
    assert len(driver.shown("interrupted")) == 1
    assert "Half." in text_of(driver.shown("sentence")[0])
    driver.do("again", block="t1")
    assert driver.last("ask")["question"] == "What is t1?"


def test_an_answer_that_still_runs_is_joined_under_its_own_id() -> None:
    driver = opened(turn("t1", state="running"))
    joined = driver.last("ask")
    assert (joined["id"], joined["thread"]) == ("t1", "sea")
    assert states(driver) == ["working"]
    driver.done(joined, TOLD)
    assert states(driver) == ["done"]


def test_a_running_question_of_another_version_is_not_asked_again() -> None:
    odd = turn("t1", state="running")
    odd["request"]["tone"] = "brisk"
    driver = opened(odd)
    assert states(driver) == ["interrupted"]
    assert [request for request in driver.requests() if request["type"] == "ask"] == []


def test_what_is_answered_goes_on_while_another_conversation_is_open() -> None:
    driver = opened(turn("t1"), rows=(row("bread"),))
    request = driver.ask("Next?")
    driver.do("open_thread", thread="bread", turn="")
    driver.done(driver.last("thread"), {"row": row("bread", head="b1"), "turns": [turn("b1")]})
    assert driver.shown("stop") == []
    driver.event(request, "sentence", index=0, sentence=sentence("Late."), citations=[])
    driver.done(request, TOLD)
    assert asked(driver) == ["What is b1?"]


def test_a_new_conversation_is_empty_and_leaves_the_old_one_saved() -> None:
    driver = opened(turn("t1"))
    driver.press("new-thread")
    assert driver.shown("answer") == []
    request = driver.ask()
    assert (request["thread"], request["parent"]) == (request["id"], "")


def test_a_reply_about_a_conversation_no_longer_wanted_is_left_out() -> None:
    driver = opened(turn("t1"), rows=(row("bread"), row("tea")))
    driver.do("open_thread", thread="bread", turn="")
    late = driver.last("thread")
    driver.do("open_thread", thread="tea", turn="")
    driver.done(late, {"row": row("bread"), "turns": [turn("b1")]})
    assert asked(driver) == ["What is t1?"]


def test_a_question_asked_while_a_conversation_is_on_its_way_stays() -> None:
    driver = Driver()
    driver.saved = [row("sea")]
    driver.ready(page(A))
    late = driver.last("thread")
    request = driver.ask("Already?")
    driver.done(late, {"row": row("sea"), "turns": [turn("t1")]})
    assert asked(driver) == ["Already?"]
    assert request["thread"] == request["id"]


def test_a_new_conversation_stays_when_another_is_on_its_way() -> None:
    driver = opened(turn("t1"), rows=(row("bread"),))
    driver.do("open_thread", thread="bread", turn="")
    late = driver.last("thread")
    driver.press("new-thread")
    driver.done(late, {"row": row("bread"), "turns": [turn("b1")]})
    assert driver.shown("answer") == []


def test_a_conversation_without_questions_opens_empty() -> None:
    driver = opened(turn("t1"), rows=(row("bread"),))
    driver.do("open_thread", thread="bread", turn="gone")
    driver.done(driver.last("thread"), {"row": row("bread", head="gone"), "turns": []})
    assert driver.shown("answer") == []


def test_a_conversation_that_is_gone_is_said_and_the_list_is_read_again() -> None:
    driver = opened(turn("t1"), rows=(row("bread"),))
    driver.do("open_thread", thread="bread", turn="")
    request = driver.last("thread")
    driver.event(request, "error", code="thread_unknown", subject="", message="", retryable=False)
    assert driver.state["toast"]["text"] == "This conversation is no longer there."
    assert driver.requests()[-1]["type"] == "threads"


def test_a_question_whose_conversation_is_gone_is_asked_in_a_new_one() -> None:
    driver = opened(turn("t1"))
    request = driver.ask("Next?")
    driver.event(request, "error", code="turn_unknown", subject="", message="", retryable=False)
    driver.do("ask_apart", block=request["id"])
    again = driver.last("ask")
    assert (again["question"], again["parent"], again["thread"]) == ("Next?", "", again["id"])
    assert asked(driver) == ["Next?"]


def long_thread(n: int) -> list[Record]:
    turns = [turn(f"t{number}", f"t{number - 1}" if number else "") for number in range(n)]
    return [
        one | ({"whole": False, "answer": None} if n - at > N_WHOLE else {}) for at, one in enumerate(turns)
    ]


def test_a_long_conversation_shows_its_last_questions_and_earlier_ones_on_request() -> None:
    turns = long_thread(SHOWN + 3)
    driver = opened(*turns)
    assert asked(driver) == [one["question"] for one in turns[3:]]
    driver.press("earlier")
    wanted = driver.last("thread_turns")
    assert wanted["turns"] == ["t0", "t1", "t2"]
    assert len(driver.shown("sentence")) == SHOWN
    driver.done(wanted, [turn("t0"), turn("t1", "t0"), turn("t2", "t1")])
    assert len(driver.shown("sentence")) == SHOWN + 3
    assert driver.shown("earlier") == []


def test_the_title_does_not_stand_above_the_same_words() -> None:
    driver = Driver().ready(page(A))
    driver.done(driver.ask("Why is it so?"), TOLD)
    assert text_of(driver.draw()).count("Why is it so?") == 1
    driver.done(driver.ask("And then?"), TOLD)
    assert text_of(driver.draw()).count("Why is it so?") == 2


def test_a_frame_draws_one_question_and_the_last_ones_first() -> None:
    driver = opened(*long_thread(SHOWN))
    driver.memo = Memo(10)
    drawn = []
    for place in range(SHOWN):
        driver.memo.begin()
        drawn.append(asked(driver))
        assert driver.memo.behind == (place < SHOWN - 1)
    assert [len(one) for one in drawn] == list(range(1, SHOWN + 1))
    assert drawn[1] == ["What is t6?", "What is t7?"]


@pytest.mark.parametrize("how", ["copy", "save", "print"])
def test_the_whole_conversation_is_given_once_its_answers_are_there(how: str) -> None:
    driver = opened(*long_thread(SHOWN + 1))
    assert driver.press("thread-" + how)[0][0] == "post"
    effects = driver.done(driver.last("thread_turns"), [turn("t0")])
    assert [effect[0] for effect in effects if effect[0] in ("copy", "save", "print")] == [how]


def test_a_conversation_as_markdown_has_its_title_questions_answers_and_links() -> None:
    driver = opened(turn("t1"), turn("t2", "t1"))
    ((_, name, kind, text),) = driver.do("give_thread", how="save")
    assert (name, kind) == ("About-sea.md", "text/markdown")
    assert text.startswith("# About sea\n\n## What is t1?\n\nIt is so. [1]\n")
    assert text.count("1. [A title](https://a.example/): “The quote.”") == 2


def test_pages_asked_one_by_one_are_kept_and_copied() -> None:
    pages = [{"source": A, "url": A, "title": "Alpha", "relevant": True, "score": 1.0, "answer": TOLD}]
    driver = opened(turn("t1", kind="ask_each", answer=pages))
    assert "Alpha" in text_of(driver.draw())
    ((_, text),) = driver.do("copy", block="t1")
    assert "### Alpha" in text
    assert "It is so. \\[1\\]" not in text


def test_a_match_is_opened_at_its_question_on_whichever_branch() -> None:
    driver = opened(turn("t1"), rows=(row("bread"),))
    driver.do("open_thread", thread="bread", turn="b2")
    turns = [turn("b1"), turn("b2", "b1"), turn("c1")]
    effects = driver.done(driver.last("thread"), {"row": row("bread", head="c1"), "turns": turns})
    assert asked(driver) == ["What is b1?", "What is b2?"]
    assert ("scroll", "block-b2") in effects


def test_the_path_of_a_damaged_tree_ends() -> None:
    blocks = [{"id": "a", "parent": "b"}, {"id": "b", "parent": "a"}]
    assert [block["id"] for block in path_to(blocks, "a")] == ["b", "a"]
    assert newest_end(blocks, "a") in ("a", "b")


@given(
    st.datetimes(datetime.datetime(1970, 1, 2), datetime.datetime(2400, 1, 1)),
    st.integers(-14 * 60, 12 * 60),
)
def test_a_date_is_that_of_the_calendar(moment: datetime.datetime, offset_min: int) -> None:
    moment = moment.replace(microsecond=0)
    at_ms = (moment - datetime.datetime(1970, 1, 1)).total_seconds() * 1000 + offset_min * 60000
    assert date_of(at_ms, offset_min) == (moment.year, moment.month, moment.day)
    assert time_of(at_ms, offset_min) == f"{moment.hour}:{moment.minute:02d}"


@pytest.mark.parametrize(
    ("title", "name"),
    [("Why / how?", "Why-how"), ("../..", "tabwise"), ("潮汐能", "潮汐能"), ("x" * 80, "x" * 60)],
)
def test_a_file_is_called_after_a_title(title: str, name: str) -> None:
    assert file_name(title) == name


def failed(name: str, parent: str = "") -> Record:
    return turn(name, parent, state="failed", error="model_unavailable")


def test_a_failed_question_is_taken_away_for_good_and_brought_back() -> None:
    driver = opened(turn("t1"), failed("t2", "t1"))
    driver.do("dismiss", block="t2")
    assert asked(driver) == ["What is t1?"]
    removed = driver.last("remove_turn")
    assert (removed["thread"], removed["turn"]) == ("sea", "t2")
    driver.done(driver.last("remove_turn"), [row("sea")])
    driver.press("undo")
    assert driver.last("restore_threads")
    assert asked(driver) == ["What is t1?", "What is t2?"]
    assert states(driver) == ["done", "failed"]


def test_a_conversation_of_one_failed_question_is_closed_with_it() -> None:
    driver = opened(failed("t1"))
    driver.do("dismiss", block="t1")
    assert (driver.state["thread"], asked(driver)) == ("", [])
    driver.press("undo")
    assert (driver.state["thread"], asked(driver)) == ("sea", ["What is t1?"])


def test_what_was_taken_away_comes_back_behind_a_conversation_that_was_begun_since() -> None:
    driver = opened(failed("t1"))
    driver.do("dismiss", block="t1")
    undo = driver.state["toast"]["action"]
    driver.do("draft", value="Something else?")
    driver.do("ask")
    driver.do(**{"kind": undo["type"]} | {k: v for k, v in undo.items() if k != "type"})
    assert asked(driver) == ["Something else?"]
    assert driver.last("restore_threads")
