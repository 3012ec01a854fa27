"""Questions to the engine: answers, searches and what cannot be asked, by protocol messages."""

from collections.abc import Callable
from typing import Any

import pytest

from desk import TIDES, Desk, states
from fakes import (
    BagEmbedder,
)
from tabwise.protocol import schema
from tabwise.protocol.tables.answers import NO_FILTER


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


def test_filters_mode_and_number_of_passages_change_an_answer(run: Callable[..., Any]) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        elsewhere = NO_FILTER | {"sites": ["kitchen.example"]}
        tomorrow = NO_FILTER | {"after": 1e15}
        question = "When do spring tides occur?"
        for chosen in (elsewhere, tomorrow):
            answer = (await desk.ask("ask", question=question, sources=[], filter=chosen))["result"]
            assert not answer["found"]
        fields = {"question": question, "sources": [], "k": 1, "mode": "lexical"}
        answer = (await desk.ask("ask", **fields))["result"]
        assert (answer["found"], answer["semantic"], len(answer["hits"])) == (True, False, 1)
        recent = NO_FILTER | {"prefer_recent": True}
        (hit,) = (await desk.ask("search", query="moon", sources=[], k=1, mode="convex", filter=recent))[
            "result"
        ]
        assert hit["recency"] > 0.0
        assert hit["rank_fused"] == 1

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
        assert 1 <= result["n_answered"] <= result["n_questions"]
        # pages of one paragraph for each sentence: the sentence that is asked for is cited, others may be too
        assert result["n_answered"] <= result["n_at_the_place"] <= result["n_citations"]

    run(scenario)


def test_a_self_test_of_nothing_says_so(run: Callable[..., Any]) -> None:
    async def scenario(desk: Desk) -> None:
        assert (await desk.ask("self_test", n_questions=10))["code"] == "library_empty"

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
