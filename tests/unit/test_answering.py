"""What a model writes, from the question to the checked answer."""

import json

import pytest

from asking import GOOD, QUOTE, Run, ask, given_number, kinds, verdicts
from tabwise.core.chat import Prompt


def test_a_cited_sentence_rests_on_the_smallest_span_that_bears_it_out(run: Run) -> None:
    answer, model, _ = ask(run, GOOD)
    assert (answer["engine"], answer["engine_label"]) == ("provider:scripted", "Scripted")
    assert answer["fallback"] is None
    (sentence,) = answer["sentences"]
    assert sentence["text"] == "The largest tidal range on Earth is found in the Bay of Fundy."
    assert (sentence["verdict"], sentence["citations"]) == ("supported", [1])
    assert answer["citations"][0]["quote"] == QUOTE
    assert len(model.prompts) == 1


def test_sentences_are_streamed_while_the_model_writes(run: Run) -> None:
    answer, _, desk = ask(run, GOOD + " The Bay of Fundy reaches 16.3 metres [1].")
    streamed = [event for event in desk.events if event["type"] == "sentence"]
    assert [event["sentence"]["text"] for event in streamed] == [one["text"] for one in answer["sentences"]]
    assert [event["index"] for event in streamed] == [0, 1]


def test_citations_are_numbered_by_first_use_and_every_span_once(run: Run) -> None:
    def reply(prompt: Prompt) -> str:
        bread, tides = given_number(prompt, "Bake the loaf"), given_number(prompt, "Spring tides")
        return (
            f"Bake the loaf at 240 degrees Celsius [{bread}]. Spring tides occur around the new moon "
            f"[{tides}]. Bake the loaf for 35 minutes [{bread}]."
        )

    answer, _, _ = ask(run, reply, question="Compare spring tides and baking the loaf", strict=False)
    assert [sentence["citations"] for sentence in answer["sentences"]] == [[1], [2], [1]]


@pytest.mark.fault("F69")
def test_numbers_that_point_at_nothing_are_removed_and_told(run: Run) -> None:
    answer, _, _ = ask(run, GOOD.replace("[1]", "[1][9]"))
    assert answer["sentences"][0]["citations"] == [1]
    (notice,) = answer["notices"]
    assert (notice["kind"], notice["text"]) == ("marks_removed", "9")


def test_a_sentence_without_a_number_gets_the_span_that_supports_it(run: Run) -> None:
    answer, _, _ = ask(run, "The largest tidal range on Earth is found in the Bay of Fundy.")
    assert verdicts(answer) == ["supported"]
    assert answer["citations"][0]["quote"] == QUOTE


@pytest.mark.fault("F69")
def test_a_right_sentence_with_a_wrong_source_gets_the_right_one_and_is_told(run: Run) -> None:
    def reply(prompt: Prompt) -> str:
        return f"Bake the loaf at 240 degrees Celsius [{given_number(prompt, 'Spring tides')}]."

    answer, _, _ = ask(run, reply, question="Compare spring tides and baking the loaf")
    assert verdicts(answer) == ["supported"]
    assert answer["citations"][0]["title"] == "Sourdough"
    assert kinds(answer) == ["marks_removed"]


@pytest.mark.fault("F69")
def test_a_sentence_with_a_source_that_does_not_say_it_is_not_supported(run: Run) -> None:
    bad = f"{GOOD} The bay was named by Portuguese sailors [1]."
    answer, _, _ = ask(run, bad, "NOT IN THE SOURCES")
    assert verdicts(answer) == ["supported", "not_found"]
    assert answer["sentences"][1]["citations"]


@pytest.mark.fault("F69")
def test_a_made_up_number_is_repaired_once_with_its_own_evidence(run: Run) -> None:
    bad = "The largest tidal range on Earth, in the Bay of Fundy, reaches 61 metres [1]."
    good = "The largest tidal range on Earth, in the Bay of Fundy, reaches 16.3 metres."
    answer, model, desk = ask(run, bad, good)
    assert [sentence["text"] for sentence in answer["sentences"]] == [good]
    assert verdicts(answer) == ["supported"]
    assert "Sourdough" not in model.prompts[1].messages[-1].text
    streamed = [event["sentence"]["verdict"] for event in desk.events if event["type"] == "sentence"]
    assert streamed == ["contradicted", "supported"]


def test_what_cannot_be_repaired_stays_with_its_verdict(run: Run) -> None:
    bad = f"{GOOD} The largest tidal range on Earth, in the Bay of Fundy, reaches 61 metres [1]."
    answer, model, _ = ask(run, bad, "NOT IN THE SOURCES")
    assert verdicts(answer) == ["supported", "contradicted"]
    assert len(model.prompts) == 2


def test_strict_mode_leaves_failing_sentences_out_and_says_how_many(run: Run) -> None:
    bad = f"The largest tidal range on Earth, in the Bay of Fundy, reaches 61 metres [1]. {GOOD}"
    answer, _, desk = ask(run, bad, "NOT IN THE SOURCES", strict=True)
    assert verdicts(answer) == ["supported"]
    (notice,) = answer["notices"]
    assert (notice["kind"], notice["text"]) == ("sentences_left_out", "1")
    assert all(
        event["sentence"]["verdict"] == "supported" for event in desk.events if event["type"] == "sentence"
    )


def test_strict_mode_comes_from_the_settings(run: Run) -> None:
    bad = f"The largest tidal range on Earth, in the Bay of Fundy, reaches 61 metres [1]. {GOOD}"
    settings = {"version": 1, "preferences": {"strict": True, "engine": "provider:scripted"}}
    answer, _, _ = ask(run, bad, "NOT IN THE SOURCES", settings=settings, engine="")
    assert (answer["engine"], verdicts(answer)) == ("provider:scripted", ["supported"])


def test_a_question_in_another_language_than_the_pages_is_searched_in_theirs(run: Run) -> None:
    question = "Wie hoch steigt dort oben im Norden eigentlich das Wasser?"
    plan = json.dumps({"question": question, "queries": ["tidal range Bay of Fundy"]})
    said = "In der Bay of Fundy ist der Tidenhub auf der Erde am größten [1]."
    answer, model, _ = ask(run, plan, said, question=question)
    assert "search queries in English, as the pages are" in model.prompts[0].messages[0].text
    assert answer["plan"]["queries"] == ["tidal range Bay of Fundy"]
    assert [one["text"] for one in answer["sentences"]] == [said.replace(" [1]", "")]
    assert "Answer in German" in model.prompts[1].messages[0].text


@pytest.mark.parametrize(
    "question", ["Gezeiten im Vergleich zu Sauerteig", "Gezeiten versus Sauerteig", "Sauerteig vs. Gezeiten"]
)
def test_a_comparison_in_another_language_than_the_pages_is_searched_in_theirs(
    run: Run, question: str
) -> None:
    queries = {"Gezeiten": "spring tides new moon", "Sauerteig": "sourdough loaf baking"}

    def plan(prompt: Prompt) -> str:
        topics = prompt.messages[1].text.partition("Compared: ")[2].split("; ")
        return json.dumps({"question": question, "queries": [queries[topic] for topic in topics]})

    answer, _, _ = ask(run, plan, GOOD, question=question)
    assert answer["plan"]["kind"] == "compare"
    assert answer["plan"]["queries"] == [queries[topic] for topic in answer["plan"]["topics"]]
    table = answer["agreement"]
    titles = [source["title"] for source in table["sources"]]
    filled = {
        (row["topic"], titles[i]) for row in table["rows"] for i, cell in enumerate(row["cells"]) if cell
    }
    assert filled == {("Gezeiten", "Tides"), ("Sauerteig", "Sourdough")}
    assert answer["missing"] == []


def test_a_question_without_a_word_that_tells_its_language_is_left_to_the_rules_where_pages_know_it(
    run: Run,
) -> None:
    answer, model, _ = ask(run, GOOD, question="Bay of Fundy tidal range versus sourdough")
    assert len(model.prompts) == 1
    assert not answer["plan"]["by_model"]


def test_an_answer_in_another_language_than_its_source_is_shown_with_what_could_be_compared(run: Run) -> None:
    said = "In der Bay of Fundy ist der Tidenhub auf der Erde am größten, mit 16.3 Metern"
    question = "Wie groß ist die tidal range in der Bay of Fundy?"
    also = "Das ist für die Leute dort ganz normal [1]."
    answer, model, _ = ask(run, "no plan", f"{said} [1]. {also}", question=question)
    assert answer["fallback"] is None
    assert verdicts(answer) == ["partly", "not_found"]
    assert [one["reasons"] for one in answer["sentences"]] == [["language"], ["language"]]
    assert "16.3 metres" in answer["citations"][0]["quote"]
    assert len(model.prompts) == 2  # no evidence could repair a translation
