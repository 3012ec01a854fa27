"""The demo's planner by rules, alone and inside the engine's own tool loop."""

from __future__ import annotations

import asyncio
from pathlib import Path

from demo_driver import SIZES, Engine, Record
from tabwise.core.chat import Message, Prompt, Role
from tabwise.demo.rules_planner import RulesPlanner, best_sentence, passage_of
from tabwise.demo.ui.words import TASKS

PASSAGES = (
    "Result of search_pages:\n----- sources abc begin -----\n"
    "[1] S1 Vectors\n384 floats take 1,536 bytes. Words are short.\n\n"
    "[2] S2 Rankings\nRobertson presented BM25 in 1994. It ranks texts.\n----- sources abc end -----"
)


def ran(folder: Path, question: str) -> Record:
    async def scene() -> Record:
        engine = Engine(folder)
        engine.send("open", **SIZES)
        await engine.settled()
        engine.send("act", question=question, engine="rules")
        await engine.settled()
        return engine.last("acted")

    return asyncio.run(scene())


def test_the_sentence_that_shares_most_terms_is_quoted_with_the_number_of_its_passage() -> None:
    assert best_sentence("Who presented BM25?", [PASSAGES]) == "Robertson presented BM25 in 1994. [2]"
    assert best_sentence("Bread?", [PASSAGES]) == ""


def test_a_calculation_is_cited_to_the_passage_that_holds_its_numbers() -> None:
    assert passage_of("1536 / 384", [PASSAGES]) == "1"
    assert passage_of("7 * 6", [PASSAGES]) == ""


def test_a_prompt_that_is_no_step_of_the_loop_gets_no_reply() -> None:
    said: list[str] = []
    prompt = Prompt((Message(Role.USER, "Plan this: 1 + 1"),), 100)
    completion = asyncio.run(RulesPlanner(len).complete(prompt, on_text=said.append))
    assert (completion.text, said) == ("", [""])


def test_the_loop_searches_calculates_and_answers_with_what_bears_it_out(tmp_path: Path) -> None:
    acted = ran(tmp_path, TASKS[0])
    assert [(step["tool"], step["state"]) for step in acted["steps"]] == [
        ("search_pages", "done"),
        ("calculator", "done"),
    ]
    assert acted["steps"][1]["summary"] == "1536 / 388 = 3.9587628866"
    answer = acted["answer"]
    assert (answer["engine"], answer["fallback"]) == ("rules", None)
    assert answer["sentences"][0]["text"].startswith("1536 / 388 = 3.9587628866")
    assert {sentence["verdict"] for sentence in answer["sentences"]} == {"supported"}


def test_a_task_without_arithmetic_is_searched_and_quoted(tmp_path: Path) -> None:
    acted = ran(tmp_path, TASKS[2])
    assert [step["tool"] for step in acted["steps"]] == ["search_pages"]
    assert acted["answer"]["sentences"][0]["verdict"] == "supported"
