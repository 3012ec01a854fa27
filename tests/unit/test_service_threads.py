"""Questions that belong to a thread are kept with it, whatever happens to them."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desk import BREAD, TIDES, Desk
from fakes import BagEmbedder
from tabwise.core.model import FloatMatrix
from tabwise.core.threads import TurnId
from tabwise.protocol.tables.threads import FEWEST_THREADS, N_WHOLE

QUESTION = "How large is the tidal range in the Bay of Fundy?"


@pytest.fixture
def run(tmp_path: Path) -> Any:
    def go(scenario: Any) -> None:
        async def whole() -> None:
            desk = Desk(tmp_path / "library.db", {1: TIDES, 2: BREAD}, BagEmbedder())
            await desk.service.start()
            await desk.add(1, 2)
            await scenario(desk)

        asyncio.run(whole())

    return go


async def result(desk: Desk, kind: str, **fields: Any) -> Any:
    end = await desk.ask(kind, **fields)
    assert end["type"] == "done", end
    return end["result"]


async def ask(desk: Desk, question: str = QUESTION, *, parent: str = "", thread: str = "sea") -> str:
    """Ask in a thread; return the id of the turn."""
    request_id = desk.send("ask", question=question, sources=[], thread=thread, parent=parent)
    await desk.service.settle()
    return request_id


def test_a_question_is_kept_with_its_answer_and_receipt(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        turn_id = await ask(desk)
        answer = desk.end_of(turn_id)["result"]
        (row,) = await result(desk, "threads")
        assert (row["title"], row["n_turns"], row["head"]) == (QUESTION, 1, turn_id)
        (turn,) = (await result(desk, "thread", thread="sea"))["turns"]
        assert (turn["state"], turn["answer"], turn["has_receipt"]) == ("done", answer, True)
        assert turn["request"]["question"] == QUESTION

    run(scenario)


def test_a_limit_below_the_fewest_is_raised_to_it(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.settings.stored = {"preferences": {"max_threads": 0}}
        for name in ("a", "b", "c"):
            await ask(desk, thread=name)
        assert len(await result(desk, "threads")) == 3

    run(scenario)


def test_a_long_thread_opens_with_its_last_answers_and_gives_the_others_on_request(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        ids = [""]
        for _ in range(N_WHOLE + 2):
            ids.append(await ask(desk, parent=ids[-1]))
        turns = (await result(desk, "thread", thread="sea"))["turns"]
        assert [turn["whole"] for turn in turns] == [False] * 2 + [True] * N_WHOLE
        assert [turn["answer"] is None for turn in turns] == [True] * 2 + [False] * N_WHOLE
        (first,) = await result(desk, "thread_turns", turns=[ids[1], "gone"])
        assert first["answer"] == desk.end_of(ids[1])["result"]
        assert first["whole"] is True

    run(scenario)


def test_the_receipt_of_a_kept_answer_outlives_the_engine(tmp_path: Path) -> None:
    async def scenario() -> None:
        desk = Desk(tmp_path / "library.db", {1: TIDES}, BagEmbedder())
        await desk.service.start()
        await desk.add(1)
        answer = desk.end_of(await ask(desk))["result"]
        receipt = await result(desk, "receipt", answer=answer["id"])
        assert desk.library is not None
        desk.library.store.close()
        again = Desk(tmp_path / "library.db", {1: TIDES}, BagEmbedder())
        await again.service.start()
        assert await result(again, "receipt", answer=answer["id"]) == receipt
        assert (await again.ask("receipt", answer="gone"))["code"] == "receipt_unknown"

    asyncio.run(scenario())


def test_an_answer_of_another_form_is_given_as_far_as_it_can_be_read(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        turn_id = TurnId(await ask(desk))
        assert desk.library is not None
        threads = desk.library.store.threads
        stored = threads.load_turn(turn_id)
        assert stored is not None
        old = json.loads(stored.answer)
        del old["plan"]
        del old["sentences"][0]["verdict"]
        threads.update_turn(replace(stored, answer=json.dumps(old)))
        (turn,) = (await result(desk, "thread", thread="sea"))["turns"]
        assert (turn["state"], turn["answer"]) == ("done", None)
        assert turn["sentences"] == old["sentences"][1:]
        assert turn["citations"] == old["citations"]

    run(scenario)


def test_a_question_without_a_thread_is_not_kept(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await ask(desk, thread="")
        assert await result(desk, "threads") == []

    run(scenario)


def test_a_follow_up_knows_the_turns_before_it_on_its_branch(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        first = await ask(desk)
        await ask(desk, "At how many degrees is a loaf baked?", thread="sea")
        third = await ask(desk, "And when is it?", parent=first)
        plan = desk.end_of(third)["result"]["plan"]
        assert "Fundy" in str(plan)
        assert "loaf" not in str(plan)

    run(scenario)


def test_editing_a_question_makes_a_branch_and_the_other_can_be_chosen(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        first = await ask(desk)
        second = await ask(desk, "When do spring tides occur?", parent=first)
        other = await ask(desk, "How are tides made?", parent=first)
        assert (await result(desk, "threads"))[0]["head"] == other
        chosen = await result(desk, "choose_turn", thread="sea", turn=second)
        assert chosen["head"] == second
        assert len((await result(desk, "thread", thread="sea"))["turns"]) == 3

    run(scenario)


def test_a_stopped_answer_is_marked(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(desk: Desk) -> None:
        async def stop_while_embedding(texts: Sequence[str]) -> FloatMatrix:
            desk.send("cancel", target=request_id)
            await asyncio.sleep(60)
            raise AssertionError("not stopped")

        monkeypatch.setattr(desk.embedder, "embed", stop_while_embedding)
        request_id = desk.send("ask", question=QUESTION, sources=[], thread="sea", parent="")
        await desk.service.settle()
        assert desk.end_of(request_id)["type"] == "cancelled"
        (turn,) = (await result(desk, "thread", thread="sea"))["turns"]
        assert (turn["state"], turn["answer"], turn["sentences"]) == ("stopped", None, [])

    run(scenario)


def test_a_question_that_fails_is_kept_with_its_error(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        turn_id = await ask(desk, "x" * 10_001)
        assert desk.end_of(turn_id)["code"] == "question_too_long"
        (turn,) = (await result(desk, "thread", thread="sea"))["turns"]
        assert (turn["state"], turn["error"]) == ("failed", "question_too_long")

    run(scenario)


def test_an_answer_that_was_running_when_the_engine_died_was_interrupted(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(desk: Desk) -> None:
        dead = asyncio.Event()

        async def die(texts: Sequence[str]) -> FloatMatrix:
            dead.set()
            await asyncio.sleep(60)
            raise AssertionError("still alive")

        monkeypatch.setattr(desk.embedder, "embed", die)
        request_id = desk.send("ask", question=QUESTION, sources=[], thread="sea", parent="")
        await dead.wait()
        copy = tmp_path / "left.db"
        copy.write_bytes((tmp_path / "library.db").read_bytes())
        desk.send("cancel", target=request_id)
        await desk.service.settle()
        again = Desk(copy, {1: TIDES}, BagEmbedder())
        await again.service.start()
        (turn,) = (await result(again, "thread", thread="sea"))["turns"]
        assert turn["state"] == "interrupted"

    run(scenario)


def test_threads_are_renamed_pinned_found_removed_and_brought_back(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await ask(desk)
        assert (await result(desk, "rename_thread", thread="sea", title="  The sea "))["title"] == "The sea"
        assert (await result(desk, "rename_thread", thread="sea", title="  "))["title"] == "The sea"
        assert (await result(desk, "pin_thread", thread="sea", pinned=True))["pinned"] is True
        (match,) = await result(desk, "find_threads", text="16.3 metres", k=5)
        assert match["excerpt"][match["start"] : match["end"]] == "16.3 metres"
        assert await result(desk, "remove_threads", threads=["sea"]) == []
        assert [row["id"] for row in await result(desk, "restore_threads")] == ["sea"]

    run(scenario)


def test_what_is_not_there_is_named(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        assert (await desk.ask("thread", thread="gone"))["code"] == "thread_unknown"
        await ask(desk)
        assert (await desk.ask("choose_turn", thread="sea", turn="gone"))["code"] == "turn_unknown"
        turn_id = await ask(desk, parent="gone")
        assert desk.end_of(turn_id)["code"] == "turn_unknown"

    run(scenario)


def test_one_thread_too_many_makes_the_oldest_go_but_no_pinned_one(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.settings.stored = {"preferences": {"max_threads": FEWEST_THREADS}}
        await ask(desk, thread="pinned")
        await result(desk, "pin_thread", thread="pinned", pinned=True)
        names = [f"t{number}" for number in range(FEWEST_THREADS + 1)]
        for name in names:
            await ask(desk, thread=name)
        assert {row["id"] for row in await result(desk, "threads")} == {"pinned", *names[1:]}
        dropped = [event for event in desk.events if event["type"] == "threads_dropped"]
        assert [event["titles"] for event in dropped] == [[QUESTION]]
        assert names[0] in {row["id"] for row in await result(desk, "restore_threads")}

    run(scenario)


def test_a_turn_goes_with_what_follows_it_and_comes_back(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        first = await ask(desk)
        second = await ask(desk, parent=first)
        third = await ask(desk, parent=second)
        (row,) = await result(desk, "remove_turn", thread="sea", turn=second)
        assert (row["n_turns"], row["head"]) == (1, first)
        (row,) = await result(desk, "restore_threads")
        assert (row["n_turns"], row["head"]) == (3, third)
        assert await result(desk, "remove_turn", thread="sea", turn="gone") == [row]
        assert await result(desk, "remove_turn", thread="sea", turn=first) == []

    run(scenario)


def test_a_question_reads_the_settings_once_and_the_next_one_anew(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        await desk.service.settle()
        for strict in (False, True):
            desk.settings.stored = {"preferences": {"strict": strict}}
            before = desk.settings.n_reads
            await ask(desk)
            assert desk.settings.n_reads == before + 1

    run(scenario)
