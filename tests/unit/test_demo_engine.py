"""The demo's stages: what the engine tells the page, over a fake embedder."""

from __future__ import annotations

import asyncio
import inspect
import sys
import types
from collections.abc import Coroutine
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo_driver import SIZES, Engine, HeldEmbedder
from fakes import BagEmbedder
from tabwise.core.model import Chunk, ChunkId, FusionMode, Hit, SourceId
from tabwise.demo import messages
from tabwise.demo.corpus import NAMES, read_text
from tabwise.demo.listings import FUNCTIONS, listings, pieces
from tabwise.demo.rankings import shares
from tabwise.demo.snippets import snippet
from tabwise.demo.strips import strip
from tabwise.protocol.codec import Malformed

ASK = {"query": "How many bits has a SIMD vector?", "mode": "convex", "k": 5, "engine": "extractive"}


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    asyncio.run(coroutine)


# -- the corpus ---------------------------------------------------------------------------------------


def test_every_text_of_the_corpus_is_listed_once() -> None:
    files = resources.files("tabwise.demo").joinpath("corpus").iterdir()
    assert sorted(file.name for file in files) == sorted(f"{name}.md" for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_is_short_and_titled(name: str) -> None:
    markdown = resources.files("tabwise.demo").joinpath(f"corpus/{name}.md").read_text("utf-8")
    assert 150 <= len(markdown.split()) <= 300
    assert markdown.startswith(f"# {read_text(name).title}\n")


# -- the stages ---------------------------------------------------------------------------------------


def test_opening_cuts_stores_and_embeds_every_text(tmp_path: Path) -> None:
    async def scene() -> None:
        engine = Engine(tmp_path)
        engine.send("open", **SIZES)
        await engine.settled()
        cut = engine.last("chunks")
        ids = [chunk["id"] for chunk in cut["chunks"]]
        assert len(cut["documents"]) == len(NAMES)
        assert {chunk["source"] for chunk in cut["chunks"]} == {
            document["source"] for document in cut["documents"]
        }
        assert [row["id"] for event in engine.all("embedded") for row in event["strips"]] == ids
        assert [event["state"] for event in engine.all("model")] == ["loading", "ready", "complete"]
        assert engine.all("embedded")[-1]["n_waiting"] == 0
        stored = engine.last("stored")
        assert (stored["n_pages"], stored["n_chunks"], stored["n_vectors"]) == (
            len(NAMES),
            len(ids),
            len(ids),
        )

    run(scene())


def test_words_are_searched_while_the_model_is_away_and_meaning_joins(tmp_path: Path) -> None:
    async def scene() -> None:
        embedder = HeldEmbedder()
        engine = Engine(tmp_path, embedder)
        engine.send("open", **SIZES)
        while not engine.all("chunks"):
            await asyncio.sleep(0)
        engine.send("ask", **ASK)
        while not engine.all("answer"):
            await asyncio.sleep(0)
        before = engine.last("results")
        assert not before["semantic"]
        assert before["fused"][0]["source"] == "corpus:simd"
        assert before["dense"] == []
        embedder.arrive()
        await engine.settled()
        engine.send("ask", **ASK)
        await engine.settled()
        after = engine.last("results")
        assert after["semantic"]
        assert len(after["dense"]) == ASK["k"]

    run(scene())


def test_the_answer_quotes_spans_of_the_texts(tmp_path: Path) -> None:
    async def scene() -> None:
        engine = Engine(tmp_path)
        engine.send("open", **SIZES)
        await engine.settled()
        engine.send("ask", **ASK)
        await engine.settled()
        answer = engine.last("answer")["answer"]
        assert answer["found"]
        for citation in answer["citations"]:
            engine.send("read", source=citation["source"])
            await engine.settled()
            assert engine.last("page")["text"][citation["start"] : citation["end"]] == citation["quote"]

    run(scene())


@pytest.mark.parametrize("mode", list(FusionMode))
def test_both_lists_are_ranked_by_their_own_score_in_every_mode(tmp_path: Path, mode: FusionMode) -> None:
    async def scene() -> None:
        engine = Engine(tmp_path)
        engine.send("open", **SIZES)
        await engine.settled()
        engine.send("ask", **(ASK | {"mode": str(mode)}))
        await engine.settled()
        found = engine.last("results")
        assert [hit["rank_lexical"] for hit in found["lexical"]] == list(range(1, len(found["lexical"]) + 1))
        for hit in found["fused"]:
            assert hit["share_dense"] + hit["share_lexical"] == pytest.approx(hit["score"], abs=1e-6)

    run(scene())


def test_k_limits_every_list(tmp_path: Path) -> None:
    async def scene() -> None:
        engine = Engine(tmp_path)
        engine.send("open", **SIZES)
        await engine.settled()
        engine.send("ask", **(ASK | {"k": 3}))
        await engine.settled()
        found = engine.last("results")
        assert [len(found[name]) for name in ("lexical", "dense", "fused")] == [3, 3, 3]

    run(scene())


def test_smaller_chunks_are_more_and_get_vectors(tmp_path: Path) -> None:
    async def scene() -> None:
        engine = Engine(tmp_path)
        engine.send("open", **SIZES)
        await engine.settled()
        n_before = len(engine.last("chunks")["chunks"])
        engine.send("cut", target_words=40, overlap_words=0)
        await engine.settled()
        assert len(engine.last("chunks")["chunks"]) > 2 * n_before
        assert engine.last("stored")["n_vectors"] == len(engine.last("chunks")["chunks"])

    run(scene())


def test_chunks_that_stay_the_same_keep_their_vectors(tmp_path: Path) -> None:
    async def scene() -> None:
        engine = Engine(tmp_path)
        engine.send("open", **SIZES)
        await engine.settled()
        n_texts = engine.embedder.n_texts
        engine.send("cut", target_words=110, overlap_words=20)
        await engine.settled()
        assert engine.embedder.n_texts == n_texts
        assert all(chunk["strip"] for chunk in engine.last("chunks")["chunks"])

    run(scene())


def test_a_newer_size_replaces_the_one_in_hand(tmp_path: Path) -> None:
    async def scene() -> None:
        engine = Engine(tmp_path)
        engine.send("open", **SIZES)
        await engine.settled()
        for target_words in (30, 60, 90):
            engine.send("cut", target_words=target_words, overlap_words=0)
        await engine.settled()
        assert [event["target_words"] for event in engine.all("chunks")] == [110, 90]

    run(scene())


def test_without_a_model_words_go_on_finding(tmp_path: Path) -> None:
    async def scene() -> None:
        engine = Engine(tmp_path, BagEmbedder(fail_at=1))
        engine.send("open", **SIZES)
        await engine.settled()
        assert engine.last("model")["state"] == "failed"
        engine.send("ask", **ASK)
        await engine.settled()
        assert not engine.last("results")["semantic"]
        assert engine.last("answer")["answer"]["found"]

    run(scene())


def test_inspecting_a_chunk_gives_its_tokens_and_all_its_dimensions(tmp_path: Path) -> None:
    async def scene() -> None:
        engine = Engine(tmp_path)
        engine.send("open", **SIZES)
        await engine.settled()
        chunk = engine.last("chunks")["chunks"][3]
        engine.send("inspect", chunk_id=chunk["id"])
        await engine.settled()
        seen = engine.last("chunk")
        assert (seen["id"], seen["number"]) == (chunk["id"], chunk["number"])
        assert len(seen["strip"]) == engine.embedder.descriptor.dimensions
        assert " ".join(seen["tokens"]).startswith(seen["title"])

    run(scene())


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"kind": "ask"} | ASK | {"query": " "}, "question_empty"),
        ({"kind": "read", "source": "corpus:none"}, "source_unknown"),
        ({"kind": "inspect", "chunk_id": "none"}, "source_unknown"),
    ],
)
def test_a_request_that_cannot_be_met_is_told_with_its_code(
    tmp_path: Path, request_: dict[str, Any], code: str
) -> None:
    async def scene() -> None:
        engine = Engine(tmp_path)
        engine.send("open", **SIZES)
        await engine.settled()
        engine.send(**request_)
        await engine.settled()
        assert engine.last("failed") == {"request": request_["kind"], "code": code}

    run(scene())


# -- the pieces ---------------------------------------------------------------------------------------


def test_a_strip_averages_neighbours_and_scales_to_its_largest_cell() -> None:
    assert strip([-2, -2, 0, 0, 1, 1], 3) == "046"
    assert strip([0, 0], 2) == "44"


@given(st.lists(st.floats(-1, 1), min_size=8, max_size=8))
def test_the_strip_of_the_opposite_vector_is_mirrored(vector: list[float]) -> None:
    mirrored = "".join(str(8 - int(level)) for level in strip(vector, 4))
    assert strip([-x for x in vector], 4) == mirrored


def hit_of(score: float, dense: float | None, lexical: float, rank_lexical: int | None) -> Hit:
    chunk = Chunk(ChunkId("a-00000"), SourceId("a"), 0, 0, 1, (), "x", "x", "h", 3)
    return Hit(chunk, score, dense, lexical, None if dense is None else 1, rank_lexical)


def test_shares_follow_the_formulas_of_fusion() -> None:
    # convex: 0.6 · 1 + 0.4 · 2 / 4
    assert shares(hit_of(0.8, 0.9, 2.0, 2), FusionMode.CONVEX, 4.0) == pytest.approx((0.6, 0.2))
    # rrf: 1 / 61 for meaning, 1 / 62 for words
    both = 1 / 61 + 1 / 62
    assert shares(hit_of(both, 0.9, 2.0, 2), FusionMode.RRF, 4.0) == pytest.approx((1 / 61, 1 / 62))
    assert shares(hit_of(0.9, 0.9, 2.0, 2), FusionMode.DENSE, 4.0) == (0.9, 0.0)
    assert shares(hit_of(2.0, None, 2.0, 1), FusionMode.CONVEX, 2.0) == (0.0, 2.0)


def test_a_snippet_is_the_sentence_with_most_of_the_query_and_marks_its_words() -> None:
    text = "Vectors are long. A stored vector takes 388 bytes. Words are short."
    sentence, marks = snippet(text, ["vector", "byte"], "en")
    assert sentence == "A stored vector takes 388 bytes."
    assert [sentence[start:end] for start, end in marks] == ["vector", "bytes"]


def test_pieces_keep_every_character_and_know_keywords_names_and_strings() -> None:
    source = 'def f(x: str) -> str:  # why\n    """Says."""\n\n    return f"{x!r} é" + \'\\\n\' * 12\n'
    cut = pieces(source)
    assert "".join(text for _, text in cut) == source
    kinds = {text.strip(): kind for kind, text in cut}
    assert kinds["def"] == "keyword"
    assert kinds["f"] == "name"
    assert kinds["# why"] == "comment"
    assert kinds['"""Says."""'] == "string"
    assert kinds["12"] == "number"


@pytest.mark.native
@pytest.mark.parametrize("stage", messages.STAGES)
def test_the_python_of_a_stage_is_the_source_that_runs(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ffi = types.ModuleType("pyodide.ffi")
    ffi.JsException, ffi.to_js = Exception, None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyodide", types.ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)
    monkeypatch.setitem(sys.modules, "tabwise_host", types.ModuleType("tabwise_host"))
    shown = listings(stage)
    assert [f"{item['module']}:{item['name']}" for item in shown] == list(FUNCTIONS[stage])
    for item in shown:
        text = "".join(piece for _, piece in item["pieces"])  # type: ignore[attr-defined]
        file = inspect.getsourcefile(sys.modules[str(item["module"])])
        lines = [line.strip() for line in Path(str(file)).read_text("utf-8").splitlines()]
        first = int(str(item["first_line"])) - 1
        assert lines[first : first + text.count("\n") + 1] == [line.strip() for line in text.splitlines()]


def test_a_message_that_breaks_the_schema_is_refused() -> None:
    with pytest.raises(Malformed):
        messages.decode(messages.REQUESTS, '{"type": "cut", "target_words": "many", "overlap_words": 0}')
    with pytest.raises(Malformed):
        messages.decode(messages.REQUESTS, '{"type": "delete"}')
