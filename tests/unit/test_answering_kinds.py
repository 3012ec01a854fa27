"""Kinds of questions: unanswerable, following, comparing, summarising, page by page; the bundled model."""

import json
from typing import Any

import numpy as np

from asking import GOOD, QUOTE, RANGE, Run, ask, given_number, verdicts
from desk import Desk
from fakes import ScriptedModel, capture_of
from tabwise.core.chat import Prompt
from tabwise.errors import ModelError


def test_when_nothing_is_found_no_model_is_called(run: Run) -> None:
    answer, model, _ = ask(run, question="Who composed the opera Carmen?")
    assert (answer["found"], answer["engine"], answer["fallback"]) == (False, "extractive", None)
    assert model.prompts == []


def test_what_is_missing_is_named(run: Run) -> None:
    answer, _, _ = ask(run, question="How large is the tidal range in Bristol?", engine="extractive")
    assert answer["found"]
    assert answer["missing"] == ["Bristol"]


def test_half_of_a_double_question_is_answered_and_the_other_named(run: Run) -> None:
    question = "How large is the tidal range in the Bay of Fundy? Who composed the opera Carmen?"
    answer, _, _ = ask(run, question=question, engine="extractive")
    assert "16.3 metres" in answer["sentences"][0]["text"]
    assert answer["missing"] == ["Who composed the opera Carmen?"]


def test_both_halves_of_a_double_question_are_answered(run: Run) -> None:
    question = "When do spring tides occur and how long is the loaf baked?"
    answer, _, _ = ask(run, question=question, engine="extractive")
    said = " ".join(sentence["text"] for sentence in answer["sentences"])
    assert "new moon" in said
    assert "35 minutes" in said


def test_a_follow_up_is_understood_from_the_turn_before(run: Run) -> None:
    history = [
        {"question": "How is a sourdough starter fed?", "answer": "With flour and water.", "sources": []}
    ]
    answer, _, _ = ask(run, question="How often is it done?", history=history, engine="extractive")
    assert answer["plan"]["is_follow_up"]
    assert "sourdough starter" in answer["plan"]["question"]
    assert "once a day" in answer["sentences"][0]["text"]


def test_a_model_plans_a_follow_up_and_gets_the_conversation(run: Run) -> None:
    history = [{"question": "How is a starter fed?", "answer": "With flour and water.", "sources": []}]
    plan = (
        '{"question": "How large is the tidal range in the Bay of Fundy?", "queries": ["tidal range Fundy"]}'
    )
    answer, model, _ = ask(run, plan, GOOD, question="And the tides?", history=history)
    assert answer["plan"]["by_model"]
    assert answer["plan"]["queries"] == ["tidal range Fundy"]
    turn = [message.text for message in model.prompts[1].messages[1:3]]
    assert turn == [history[0]["question"], history[0]["answer"]]
    assert verdicts(answer) == ["supported"]


def test_a_planner_that_talks_leaves_the_plan_to_the_rules(run: Run) -> None:
    history = [{"question": "How is a starter fed?", "answer": "With flour and water.", "sources": []}]
    answer, _, _ = ask(run, "Sure, I can help!", GOOD, question=RANGE, history=history)
    assert not answer["plan"]["by_model"]
    assert verdicts(answer) == ["supported"]


def test_old_turns_are_dropped_with_the_reason(run: Run) -> None:
    history = [
        {"question": f"Question {i} about bread?", "answer": "With flour. " * 40, "sources": []}
        for i in range(9)
    ]
    model = ScriptedModel("no plan", GOOD, context_tokens=1600)
    answer, model, _ = ask(run, history=history, model=model)
    turns = [one for one in answer["dropped"] if one["kind"] == "turn"]
    assert [one["reason"] for one in turns[:3]] == ["outside_window"] * 3
    assert {one["reason"] for one in turns[3:]} <= {"no_room", "after_full"}
    kept = [message.text for message in model.prompts[1].messages if "Question" in message.text]
    assert len(turns) + len([text for text in kept if text.startswith("Question")]) == 9


def test_a_comparison_gets_a_table_with_cited_cells(run: Run) -> None:
    question = "What is the difference between spring tides and a sourdough starter?"
    answer, _, _ = ask(run, question=question, engine="extractive")
    table = answer["agreement"]
    assert [row["topic"] for row in table["rows"]] == ["spring tides", "sourdough starter"]
    by_source = {source["title"]: i for i, source in enumerate(table["sources"])}
    tides, bread = (row["cells"] for row in table["rows"])
    assert "Spring tides occur" in tides[by_source["Tides"]]["text"]
    assert tides[by_source["Sourdough"]] is None
    cell = bread[by_source["Sourdough"]]
    citation = answer["citations"][cell["citations"][0] - 1]
    assert citation["quote"] == cell["text"]


def test_a_summary_reads_the_pages_in_order_without_a_model(run: Run) -> None:
    answer, _, _ = ask(run, question="Summarise this page", engine="extractive")
    assert answer["plan"]["kind"] == "read"
    assert answer["hits"] == []
    assert answer["semantic"]
    starts = [(citation["source"], citation["start"]) for citation in answer["citations"]]
    sources = list(dict.fromkeys(source for source, _ in starts))
    assert sources == ["https://sea.example/tides", "https://kitchen.example/bread"]
    assert starts == sorted(starts, key=lambda place: (sources.index(place[0]), place[1]))
    assert set(verdicts(answer)) == {"supported"}


def test_a_title_in_quotation_marks_says_which_page_is_meant(run: Run) -> None:
    answer, _, _ = ask(run, question="What are the main points of “Sourdough”?", engine="extractive")
    assert {citation["title"] for citation in answer["citations"]} == {"Sourdough"}


def test_a_model_summarises_and_every_sentence_is_checked(run: Run) -> None:
    def reply(prompt: Prompt) -> str:
        return f"{GOOD} Bake the loaf at 240 degrees Celsius [{given_number(prompt, 'Bake the loaf')}]."

    answer, model, _ = ask(run, reply, question="Summarise these pages")
    assert verdicts(answer) == ["supported", "supported"]
    assert [one["number"] for one in answer["given"]] == [1, 2, 3]
    assert "You summarise" in model.prompts[0].messages[0].text


def test_how_to_answer_can_be_said_outright(run: Run) -> None:
    read, _, _ = ask(run, question=RANGE, style="read", engine="extractive")
    assert read["plan"]["kind"] == "read"


def test_sections_beyond_a_share_are_named(run: Run) -> None:
    long = capture_of(
        "https://long.example/",
        "Long",
        *("Sentence about the sea. " * 400 for _ in range(8)),
        headings="ABCDEFGH",
    )
    model = ScriptedModel("Sentence about the sea [1].", context_tokens=4096)
    answer, _, _ = ask(run, question="Summarise this page", model=model, tabs={1: long})
    assert {one["reason"] for one in answer["dropped"]} == {"too_long"}
    assert len(answer["dropped"]) + len(answer["given"]) == 8


class Chooser(ScriptedModel):
    """A model that finds the question likely behind a text with a certain word; an error is raised."""

    def __init__(self, word: str, error: ModelError | None = None) -> None:
        super().__init__(id="bundled")
        self.word, self.error = word, error

    async def log_likelihood(self, prompt: Prompt, text: str) -> Any:
        if self.error:
            raise self.error
        is_likely = self.word in prompt.messages[0].text
        return np.full(4, -1.0 if is_likely else -9.0, np.float32)


def test_the_bundled_model_chooses_among_sentences_of_the_pages(run: Run) -> None:
    question = "How do the tides pull in the bay?"
    page = capture_of(
        "https://a.example/",
        "Tides",
        "The tides pull in the bay at noon.",
        "The tides pull the bay by the moon.",
    )
    for word in ("noon", "moon"):
        answer, model, _ = ask(run, question=question, model=Chooser(word), tabs={1: page})
        assert answer["engine"] == "bundled"
        assert word in answer["sentences"][0]["text"]
        assert set(verdicts(answer)) == {"supported"}
        assert model.prompts == []


def test_a_bundled_model_that_fails_leaves_the_choice_to_the_scores(run: Run) -> None:
    answer, _, _ = ask(run, model=Chooser("", ModelError("model_out_of_memory")))
    assert (answer["engine"], answer["fallback"]["code"]) == ("extractive", "model_out_of_memory")
    assert "16.3 metres" in answer["sentences"][0]["text"]


def test_the_bundled_model_is_too_small_to_summarise(run: Run) -> None:
    answer, model, _ = ask(run, question="Summarise this page", model=Chooser(""))
    assert (answer["engine"], answer["fallback"]["code"]) == ("extractive", "model_too_small")
    assert answer["sentences"]
    assert model.prompts == []


def test_every_page_says_whether_it_answers(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        end = await desk.ask("ask_each", question=RANGE, sources=[], engine="extractive")
        bread, tides = end["result"]
        assert (bread["title"], bread["relevant"], bread["answer"]) == ("Sourdough", False, None)
        assert (tides["title"], tides["relevant"]) == ("Tides", True)
        assert "16.3 metres" in tides["answer"]["sentences"][0]["text"]
        assert 0.0 <= bread["score"] < tides["score"] <= 1.0
        streamed = [event["page"] for event in desk.events if event["type"] == "page_answer"]
        assert streamed == end["result"]

    run(scenario)


def test_every_page_is_asked_a_follow_up_as_it_is_meant(run: Run) -> None:
    before = {"question": RANGE, "answer": QUOTE, "sources": ["https://sea.example/tides"]}

    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        end = await desk.ask(
            "ask_each", question="Where is it?", sources=[], history=[before], engine="extractive"
        )
        answered = {page["title"]: page["answer"] for page in end["result"]}
        assert answered["Sourdough"] is None
        assert "tidal range in the Bay of Fundy" in answered["Tides"]["question"]
        assert "Bay of Fundy" in answered["Tides"]["sentences"][0]["text"]

    run(scenario)


def test_what_stays_here_of_a_conversation_reaches_no_service_by_way_of_a_follow_up(run: Run) -> None:
    before = {
        "question": "Who bakes?",
        "answer": "Ada Byron bakes.",
        "sources": ["https://kitchen.example/bread"],
    }

    async def scenario(desk: Desk) -> None:
        desk.settings.stored = {"version": 1, "never_leaves": ["kitchen.example"]}
        await desk.add(1, 2)
        model = ScriptedModel(lambda prompt: "NOT IN THE SOURCES", destination="https://api.example")
        desk.models.models[model.descriptor.id] = model
        question = "Where did she see the tidal range of 16.3 metres?"
        await desk.ask(
            "ask_each", question=question, sources=[], history=[before], engine=model.descriptor.id
        )
        assert model.prompts
        assert all("Ada" not in message.text for prompt in model.prompts for message in prompt.messages)

    run(scenario)


def test_a_question_in_another_language_is_planned_once_for_all_pages_of_a_language(run: Run) -> None:
    question = "Wie groß ist die tidal range in der Bay of Fundy?"
    plan = json.dumps({"question": question, "queries": ["largest tidal range on Earth"]})

    def reply(prompt: Prompt) -> str:
        return plan if "You plan searches" in prompt.messages[0].text else "NOT IN THE SOURCES"

    async def scenario(desk: Desk) -> None:
        desk.tabs[2] = capture_of("https://coast.example/fundy", "Fundy", f"{QUOTE} Many go there to see it.")
        await desk.add(1, 2)
        model = ScriptedModel(*[reply] * 4)
        desk.models.models["provider:scripted"] = model
        await desk.ask("ask_each", question=question, sources=[], engine="provider:scripted")
        are_plans = ["You plan searches" in prompt.messages[0].text for prompt in model.prompts]
        assert are_plans == [True, False, False]

    run(scenario)


def test_a_model_says_for_each_page_whether_it_answers(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        model = ScriptedModel("NOT IN THE SOURCES")
        desk.models.models["provider:scripted"] = model
        end = await desk.ask("ask_each", question=RANGE, sources=[], engine="provider:scripted")
        assert [page["relevant"] for page in end["result"]] == [False, False]
        assert len(model.prompts) == 1

    run(scenario)
