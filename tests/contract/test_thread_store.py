"""What every ThreadStore does."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.core.threads import ThreadId, ThreadTurn, TurnId, TurnState
from tabwise.ports import ThreadStore

SEA, BREAD = ThreadId("sea"), ThreadId("bread")


def turn(name: str, parent: str = "", at: float = 1.0, question: str = "How high?") -> ThreadTurn:
    return ThreadTurn(TurnId(name), parent, question, TurnState.RUNNING, at, '{"k": 8}')


@pytest.fixture
def threads(tmp_path: Path) -> Iterator[ThreadStore]:
    store = SqliteStore(tmp_path / "library.db")
    yield store.threads
    store.close()


def ids(threads: ThreadStore) -> list[str]:
    return [head.id for head in threads.load_threads()]


def test_a_turn_comes_back_as_it_was(threads: ThreadStore) -> None:
    told = replace(turn("t1"), answer='{"a": 1}', plain="16 metres", receipt="{}", error="")
    threads.put_turn(SEA, told, title="Tides", now_ms=5)
    assert threads.load_turns(SEA) == [told]
    assert threads.load_turn(TurnId("t1")) == told
    (head,) = threads.load_threads()
    assert (head.title, head.created_at, head.n_turns, head.head) == ("Tides", 5, 1, "t1")
    assert threads.load_thread(SEA) == head


def test_a_receipt_is_found_by_its_answer(threads: ThreadStore) -> None:
    threads.put_turn(SEA, turn("t1"), title="Tides", now_ms=5)
    threads.update_turn(replace(turn("t1"), receipt='{"r": 1}', answer_id="a1"))
    threads.put_turn(SEA, turn("t2"), title="Tides", now_ms=6)
    assert threads.load_receipt("a1") == '{"r": 1}'
    assert threads.load_receipt("a2") == ""
    assert threads.load_receipt("") == ""


def test_threads_changed_last_come_first(threads: ThreadStore) -> None:
    threads.put_turn(SEA, turn("t1"), title="Tides", now_ms=1)
    threads.put_turn(BREAD, turn("t2"), title="Bread", now_ms=2)
    assert ids(threads) == [BREAD, SEA]
    threads.put_turn(SEA, turn("t3", "t1", 3), title="not used", now_ms=3)
    assert ids(threads) == [SEA, BREAD]
    assert threads.load_threads()[0].title == "Tides"
    assert threads.load_threads()[0].created_at == 1


def test_a_turn_grows(threads: ThreadStore) -> None:
    threads.put_turn(SEA, turn("t1"), title="Tides", now_ms=1)
    done = replace(turn("t1"), state=TurnState.DONE, answer="{}", plain="16 metres")
    threads.update_turn(done)
    assert threads.load_turns(SEA) == [done]


def test_a_turn_of_a_thread_that_is_gone_stays_gone(threads: ThreadStore) -> None:
    threads.update_turn(turn("t1"))
    assert threads.load_turn(TurnId("t1")) is None


def test_removed_threads_come_back_until_others_are_removed(threads: ThreadStore) -> None:
    threads.put_turn(SEA, turn("t1"), title="Tides", now_ms=1)
    threads.put_turn(BREAD, turn("t2"), title="Bread", now_ms=2)
    threads.remove([SEA])
    assert ids(threads) == [BREAD]
    assert [head.id for head in threads.restore()] == [SEA]
    threads.remove([SEA])
    threads.remove([BREAD])
    assert [head.id for head in threads.restore()] == [BREAD]
    assert ids(threads) == [BREAD]
    assert threads.load_turns(SEA) == []


def test_titles_pins_and_branches_are_kept(threads: ThreadStore) -> None:
    threads.put_turn(SEA, turn("t1"), title="Tides", now_ms=1)
    threads.put_turn(SEA, turn("t2", "t1", 2), title="", now_ms=2)
    threads.rename(SEA, "Sea")
    threads.pin(SEA, True)
    threads.choose(SEA, TurnId("t1"))
    (head,) = threads.load_threads()
    assert (head.title, head.is_pinned, head.head) == ("Sea", True, "t1")


def test_what_ran_when_everything_ended_was_interrupted(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "library.db")
    store.threads.put_turn(SEA, turn("t1"), title="Tides", now_ms=1)
    store.close()
    store = SqliteStore(tmp_path / "library.db")
    threads = store.threads
    threads.interrupt_running()
    assert [one.state for one in threads.load_turns(SEA)] == [TurnState.INTERRUPTED]
    store.close()


def test_titles_questions_and_answers_are_searched(threads: ThreadStore) -> None:
    threads.put_turn(SEA, replace(turn("t1"), plain="In the Bay of Fundy."), title="Tides", now_ms=1)
    threads.put_turn(BREAD, turn("t2", question="How hot is the oven?"), title="Bread", now_ms=2)
    assert [(one.thread, one.turn) for one in threads.find("bay of  FUNDY", k=9)] == [(SEA, "t1")]
    assert [(one.thread, one.turn) for one in threads.find("oven", k=9)] == [(BREAD, "t2")]
    assert [(one.thread, one.turn) for one in threads.find("tide", k=9)] == [(SEA, "")]
    assert threads.find(" ", k=9) == []
    assert len(threads.find("e", k=1)) == 1


def test_an_excerpt_marks_what_was_searched(threads: ThreadStore) -> None:
    threads.put_turn(SEA, replace(turn("t1"), plain="It is in the Bay of Fundy."), title="Tides", now_ms=1)
    (match,) = threads.find("fundy", k=1)
    assert match.excerpt[match.start : match.end] == "Fundy"


def test_removed_turns_come_back_and_are_shown_again(threads: ThreadStore) -> None:
    threads.put_turn(SEA, turn("t1"), title="Tides", now_ms=1)
    threads.put_turn(SEA, turn("t2", "t1", 2, question="And the moon?"), title="", now_ms=2)
    threads.remove_turns(SEA, [TurnId("t2")], head=TurnId("t1"))
    (head,) = threads.load_threads()
    assert (head.n_turns, head.head) == (1, "t1")
    assert [one.id for one in threads.load_turns(SEA)] == ["t1"]
    assert threads.load_turn(TurnId("t2")) is None
    assert threads.find("moon", k=9) == []
    assert threads.restore() == []
    (head,) = threads.load_threads()
    assert (head.n_turns, head.head) == (2, "t2")


def test_a_thread_goes_and_comes_back_with_its_last_turn(threads: ThreadStore) -> None:
    threads.put_turn(SEA, turn("t1"), title="Tides", now_ms=1)
    threads.remove_turns(SEA, [TurnId("t1")], head=TurnId(""))
    assert ids(threads) == []
    assert [(head.id, head.head) for head in threads.restore()] == [(SEA, "t1")]


def test_removing_anything_else_forgets_the_turns_removed_before(threads: ThreadStore) -> None:
    for name in ("t1", "t2", "t3"):
        threads.put_turn(SEA, turn(name), title="Tides", now_ms=1)
    threads.remove_turns(SEA, [TurnId("t1")], head=TurnId("t3"))
    threads.remove_turns(SEA, [TurnId("t2")], head=TurnId("t3"))
    threads.restore()
    assert [one.id for one in threads.load_turns(SEA)] == ["t2", "t3"]
