"""index: pages in, hits out, as if it had been built afresh."""

import math
import random
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabwise.core.model import (
    Block,
    BlockKind,
    Chunk,
    ChunkId,
    FusionMode,
    Page,
    QuantizedVectors,
    SourceId,
)
from tabwise.core.search.diversity import MAX_REPEATS, REPEAT_PENALTY
from tabwise.core.search.index import WORD_ORDER_WEIGHT, SearchIndex
from tabwise.core.search.nearness import MIN_COVERAGE
from tabwise.core.search.vectors import quantize
from tabwise.errors import InputError, ModelError

DIMENSIONS = 16
WORDS = ["tide", "turbine", "harbour", "cable", "grid", "winter", "signal", "copper"]


def make_page(source: str, paragraphs: list[str], *, title: str = "", language: str = "en") -> Page:
    text = "\n".join(paragraphs)
    blocks, start = [], 0
    for paragraph in paragraphs:
        blocks.append(Block(BlockKind.PARAGRAPH, start, start + len(paragraph)))
        start += len(paragraph) + 1
    return Page(
        SourceId(source), source, title, language, text, tuple(blocks), "", 0.0, 0, len(text), len(text)
    )


def make_chunks(page: Page) -> list[Chunk]:
    prefix = sha256(page.source.encode()).hexdigest()[:12]
    return [
        Chunk(
            id=ChunkId(f"{prefix}-{ordinal:05d}"),
            source=page.source,
            ordinal=ordinal,
            start=block.start,
            end=block.end,
            heading_path=(),
            text=page.text[block.start : block.end],
            embedding_text=f"{page.title}\n{page.text[block.start : block.end]}",
            content_hash="",
            n_tokens=0,
        )
        for ordinal, block in enumerate(page.blocks)
    ]


def embed(text: str) -> np.ndarray:
    row = np.full(DIMENSIONS, 0.05)
    for word in text.lower().split():
        row += np.random.default_rng(int(sha256(word.encode()).hexdigest()[:8], 16)).standard_normal(
            DIMENSIONS
        )
    return (row / np.linalg.norm(row)).astype(np.float32)


def vectors_of(chunks: list[Chunk]) -> QuantizedVectors:
    rows = [embed(chunk.embedding_text) for chunk in chunks]
    return quantize(np.array(rows, np.float32).reshape(len(rows), DIMENSIONS))


def add(index: SearchIndex, page: Page, *, with_vectors: bool = True) -> None:
    chunks = make_chunks(page)
    index.add_page(page, chunks, vectors_of(chunks) if with_vectors else None)


def built(*pages: Page, with_vectors: bool = True) -> SearchIndex:
    index = SearchIndex(DIMENSIONS)
    for page in pages:
        add(index, page, with_vectors=with_vectors)
    return index


def found(index: SearchIndex, query: str, **options: object) -> list[tuple[str, float]]:
    hits = index.search(query, embed(query), **options)  # type: ignore[arg-type]
    return [(hit.chunk.id, round(hit.score, 5)) for hit in hits]


TIDES = make_page("tides", ["tide turbine harbour", "cable grid winter"], title="sea")
SIGNALS = make_page("signals", ["signal copper cable", "winter signal lights"], title="wire")


def test_the_chunk_with_the_words_of_the_query_comes_first() -> None:
    hits = built(TIDES, SIGNALS).search("copper signal", embed("copper signal"))
    assert hits[0].chunk.text == "signal copper cable"
    assert (hits[0].rank_dense, hits[0].rank_lexical) == (1, 1)


def test_title_terms_count_twice() -> None:
    # Lucene BM25 by hand: "sea" has tf 2 in both chunks, which are as long as the average.
    (hit, _) = built(TIDES, with_vectors=False).search("sea", None, mode=FusionMode.LEXICAL, k=2)
    assert hit.lexical == pytest.approx(math.log(1 + 0.5 / 2.5) * 2 / (2 + 1.2), rel=1e-5)


def test_a_phrase_comes_before_the_same_words_apart() -> None:
    """Equal to words and meaning: only the order of the words tells the two apart."""
    apart = make_page("a-apart", ["cable tide grid winter harbour turbine lights"])
    phrase = make_page("b-phrase", ["cable tide turbine harbour winter grid lights"])
    hits = built(apart, phrase).search("tide turbine", embed("tide turbine"))
    assert [hit.chunk.source for hit in hits] == ["b-phrase", "a-apart"]
    assert hits[0].score - hits[0].word_order == pytest.approx(hits[1].score - hits[1].word_order)
    assert hits[0].word_order == pytest.approx(2 * WORD_ORDER_WEIGHT)
    assert hits[1].word_order == pytest.approx(WORD_ORDER_WEIGHT)


@pytest.mark.parametrize("mode", [FusionMode.RRF, FusionMode.DENSE, FusionMode.LEXICAL])
def test_the_pure_modes_know_no_word_order(mode: FusionMode) -> None:
    hits = built(TIDES, SIGNALS).search("signal copper", embed("signal copper"), mode=mode)
    assert {hit.word_order for hit in hits} == {0.0}


def test_a_hit_tells_where_it_stood_before_hits_were_spread() -> None:
    text = "tide turbine harbour cable grid winter lights"
    index = built(make_page("long", [text] * 3), make_page("other", [text + " signal"]), with_vectors=False)
    hits = index.search("tide turbine", None, k=4)
    assert [(hit.chunk.source, hit.rank_fused) for hit in hits] == [
        ("long", 1),
        ("other", 4),
        ("long", 2),
        ("long", 3),
    ]


def test_pages_are_found_by_words_before_their_vectors_are_there() -> None:
    index = built(TIDES, SIGNALS, with_vectors=False)
    before = index.search("copper", embed("copper"))
    assert [(hit.chunk.text, hit.dense, hit.rank_dense) for hit in before] == [
        ("signal copper cable", None, None)
    ]
    index.set_vectors(SIGNALS.source, vectors_of(make_chunks(SIGNALS)))
    assert index.n_vectors == 2
    after = index.search("copper", embed("copper"))[0]
    assert after.dense == pytest.approx(float(embed("wire signal copper cable") @ embed("copper")), abs=0.02)


def test_pages_without_vectors_are_named_in_the_order_they_came() -> None:
    index = SearchIndex(DIMENSIONS)
    for source in ("a", "b", "c", "d"):
        add(index, make_page(source, ["tide", "gate"]), with_vectors=source == "b")
    add(index, make_page("a", ["noon"]), with_vectors=False)
    index.remove_page(SourceId("d"))
    assert [head.source for head in index.heads_without_vectors()] == ["c", "a"]
    assert [head.source for head in index.heads() if not index.has_vectors(head.source)] == ["c", "a"]


def test_without_a_query_vector_every_mode_is_lexical() -> None:
    index = built(TIDES, SIGNALS)
    hits = [index.search("winter cable", None, mode=mode) for mode in FusionMode]
    assert all(found == hits[0] for found in hits)
    assert [hit.dense for hit in hits[0]] == [None] * len(hits[0])


@pytest.mark.parametrize("sources", [None, ["a", "c"], []])
def test_both_rankings_at_once_equal_two_searches(sources: list[SourceId] | None) -> None:
    index = built(
        make_page("a", ["the tide turns at noon", "bread rises slowly"]),
        make_page("b", ["the gate holds back the tide"]),
        make_page("c", ["noon bread by the gate"]),
    )
    query, vector = "tide at the gate", embed("tide at the gate")
    by_meaning, by_words = index.rankings(query, vector, sources=sources, k=3)
    options = {"sources": sources, "k": 3, "allow_weak": True}
    assert by_meaning == index.search(query, vector, mode=FusionMode.DENSE, **options)
    assert by_words == index.search(query, None, mode=FusionMode.LEXICAL, **options)
    assert index.rankings(query, None, sources=sources, k=3) == ([], by_words)


def test_scope_limits_hits_and_ranks() -> None:
    index = built(TIDES, SIGNALS)
    hits = index.search("winter signal", embed("winter signal"), sources=[TIDES.source])
    assert {hit.chunk.source for hit in hits} == {TIDES.source}
    assert hits[0].rank_lexical == 1
    assert index.search("winter", embed("winter"), sources=[SourceId("unknown")]) == []
    assert index.search("winter", embed("winter"), sources=[]) == []


def test_nothing_near_is_nothing_found() -> None:
    index = built(TIDES, SIGNALS, with_vectors=False)
    assert index.search("mediaeval poetry of Iceland", None) == []
    assert index.search("the of and", None) == []
    assert SearchIndex(DIMENSIONS).search("tide", embed("tide")) == []


def test_one_shared_word_of_a_long_question_is_not_enough() -> None:
    index = built(TIDES, SIGNALS, with_vectors=False)
    question = "winter olympics ski jump medal table by country and year with athletes and judges"
    best = max(float(index._bm25.scores(index.query_terms(question)).max()), 0.0)
    assert 0.0 < best / index._best_possible(question) < MIN_COVERAGE
    assert index.search(question, None) == []


def test_a_question_in_another_language_of_the_library_is_stemmed_in_it() -> None:
    german = make_page("haus", ["Die Häuser am Hafen"], language="de")
    index = built(TIDES, german, with_vectors=False)
    assert [hit.chunk.source for hit in index.search("Haus", None)] == ["haus"]


def test_languages_that_are_gone_are_not_asked_in() -> None:
    index = built(TIDES, make_page("haus", ["Die Häuser am Hafen"], language="de"), with_vectors=False)
    assert index.query_terms("Häuser") == ["häuser", "haus"]
    index.remove_page(SourceId("haus"))
    assert index.query_terms("Häuser") == ["häuser"]


def test_replacing_a_page_forgets_its_earlier_words() -> None:
    index = built(TIDES)
    add(index, make_page("tides", ["copper signal"]))
    assert index.n_chunks == 1
    assert index.search("turbine", None) == []
    assert [chunk.text for chunk in index.chunks(TIDES.source)] == ["copper signal"]


def test_removed_pages_are_gone() -> None:
    index = built(TIDES, SIGNALS)
    index.remove_page(TIDES.source)
    assert index.page(TIDES.source) is None
    assert index.chunks(TIDES.source) == ()
    assert index.sources() == (SIGNALS.source,)
    assert found(index, "winter cable") == found(built(SIGNALS), "winter cable")


def test_unknown_sources_are_named() -> None:
    with pytest.raises(InputError) as caught:
        SearchIndex(DIMENSIONS).remove_page(SourceId("gone"))
    assert (caught.value.code, caught.value.subject) == ("source_unknown", "gone")
    with pytest.raises(InputError):
        SearchIndex(DIMENSIONS).set_vectors(SourceId("gone"), vectors_of([]))


def test_vectors_that_do_not_fit_leave_the_index_unchanged() -> None:
    index = built(TIDES)
    before = found(index, "tide")
    with pytest.raises(ModelError):
        index.add_page(TIDES, make_chunks(TIDES)[:1], vectors_of(make_chunks(TIDES)))
    assert found(index, "tide") == before


@pytest.mark.parametrize("query", ["", " \n ", "the of and", "🙂", "?!", "\ud800", "приливы", "潮汐"])
def test_words_that_say_nothing_here_find_nothing(query: str) -> None:
    assert built(TIDES, SIGNALS).search(query, None, k=5) == []


@pytest.mark.parametrize("query", ["", "the of and", "🙂", "приливы", "潮汐", "word " * 10_000])
def test_no_query_is_too_odd_to_be_ranked(query: str) -> None:
    index = built(TIDES, SIGNALS)
    for mode in FusionMode:
        hits = index.search(query, embed("tide"), mode=mode, k=5, allow_weak=True)
        assert len(hits) <= index.n_chunks
        assert all(np.isfinite(hit.score) for hit in hits)


def test_ten_thousand_words_find_the_page_they_were_taken_from() -> None:
    text = "tide turbine harbour sea " * 2_500
    assert built(TIDES, SIGNALS).search(text, None, k=1)[0].chunk.source == TIDES.source


def test_equal_scores_are_ordered_by_chunk_id() -> None:
    pages = [make_page(f"copy {number}", ["tide turbine"]) for number in range(12)]
    ids = [hit.chunk.id for hit in built(*pages).search("tide", embed("tide"), k=12)]
    assert ids == sorted(ids)
    backwards = [hit.chunk.id for hit in built(*reversed(pages)).search("tide", embed("tide"), k=12)]
    assert backwards == ids


def test_cap_limits_the_hits_of_a_page() -> None:
    crowd = make_page("crowd", ["tide turbine"] * 40)
    index = built(crowd, make_page("other", ["tide cable grid winter signal"]))
    hits = index.search("tide turbine", embed("tide turbine"), k=5, per_source_cap=2)
    assert [hit.chunk.source for hit in hits] == ["crowd", "crowd", "other"]


def test_repeats_of_a_page_make_room_for_others_below_the_first_hit() -> None:
    near = make_page("near", ["tide turbine harbour cable"] * 6)
    other = make_page("other", ["tide turbine harbour grid cable"])
    index = built(near, other, with_vectors=False)
    plain = [hit.score for hit in index.search("tide turbine", None, sources=["near"], k=10)]
    hits = index.search("tide turbine", None, k=10)
    sources = [hit.chunk.source for hit in hits]
    assert sources[0] == "near"
    assert 1 <= sources.index("other") < 6
    assert len(hits) == len(plain) + 1


def diversified_by_hand(scored: list[tuple[str, str, float]], k: int) -> list[str]:
    left, picked, times = list(scored), [], dict.fromkeys((source for _, source, _ in scored), 0)
    step = REPEAT_PENALTY * max(score for _, _, score in scored)
    while left and len(picked) < k:
        best = min(
            left, key=lambda item: (-(item[2] - step * min(times[item[1]], MAX_REPEATS)), -item[2], item[0])
        )
        left.remove(best)
        picked.append(best[0])
        times[best[1]] += 1
    return picked


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 12))
def test_diversity_equals_picking_one_by_one(seed: int, k: int) -> None:
    rng = random.Random(seed)
    pages = [
        make_page(f"p{number}", [" ".join(rng.choices(WORDS, k=5)) for _ in range(rng.randint(1, 12))])
        for number in range(4)
    ]
    index = built(*pages, with_vectors=False)
    query = "tide turbine grid"
    scores = index._bm25.scores(index.query_terms(query))
    scored = [
        (chunk.id, chunk.source, float(scores[slot]))
        for slot, chunk in enumerate(map(index._chunk, range(len(scores))))
        if scores[slot] > 0
    ]
    hits = [hit.chunk.id for hit in index.search(query, None, k=k)]
    assert hits == (diversified_by_hand(scored, k) if scored else [])


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["add", "remove", "vectors"]), st.integers(0, 4), st.integers(0, 99))
)


@settings(max_examples=40)
@given(ACTIONS)
def test_any_history_answers_as_a_fresh_index(actions: list[tuple[str, int, int]]) -> None:
    index, pages, embedded = SearchIndex(DIMENSIONS), {}, set()
    for action, number, seed in actions:
        source = SourceId(f"p{number}")
        if action == "add":
            rng = random.Random(seed)
            paragraphs = [" ".join(rng.choices(WORDS, k=4)) for _ in range(rng.randint(1, 3))]
            pages[source] = make_page(source, paragraphs, title=rng.choice(WORDS))
            embedded.discard(source)
            add(index, pages[source], with_vectors=False)
        elif action == "remove" and source in pages:
            del pages[source]
            index.remove_page(source)
        elif action == "vectors" and source in pages:
            embedded.add(source)
            index.set_vectors(source, vectors_of(make_chunks(pages[source])))
    fresh = SearchIndex(DIMENSIONS)
    for source, page in pages.items():
        add(fresh, page, with_vectors=source in embedded)
    assert (index.n_chunks, index.n_vectors) == (fresh.n_chunks, fresh.n_vectors)
    for mode in FusionMode:
        for query in ("tide turbine", "winter", "copper cable signal"):
            assert found(index, query, mode=mode, k=50) == found(fresh, query, mode=mode, k=50)


def test_compaction_after_many_removals_changes_nothing() -> None:
    index = SearchIndex(DIMENSIONS)
    for number in range(60):
        add(index, make_page(f"p{number}", [f"tide {WORDS[number % 8]} {i}" for i in range(10)]))
    for number in range(50):
        index.remove_page(SourceId(f"p{number}"))
    assert index._bm25.n_slots < 600
    fresh = SearchIndex(DIMENSIONS)
    for number in range(50, 60):
        add(fresh, make_page(f"p{number}", [f"tide {WORDS[number % 8]} {i}" for i in range(10)]))
    assert found(index, "tide grid", k=30) == found(fresh, "tide grid", k=30)
    assert index.chunks(SourceId("p55")) == fresh.chunks(SourceId("p55"))


def test_a_newer_page_comes_first_among_equals_and_says_why() -> None:
    old, new = make_page("a-old", ["tide turbine"]), make_page("b-new", ["tide turbine"])
    index = built(old, new, with_vectors=False)
    plain = index.search("tide", None)
    assert [hit.chunk.source for hit in plain] == ["a-old", "b-new"]
    hits = index.search("tide", None, recency={old.source: 0.1, new.source: 0.9})
    assert [hit.chunk.source for hit in hits] == ["b-new", "a-old"]
    for hit in hits:
        assert hit.score - hit.recency == pytest.approx(plain[0].score)


def test_recency_finds_nothing_that_was_not_found() -> None:
    index = built(TIDES, SIGNALS, with_vectors=False)
    hits = index.search("copper", None, recency={TIDES.source: 1.0})
    assert {hit.chunk.source for hit in hits} == {SIGNALS.source}


@pytest.mark.parametrize(
    ("query", "is_read"), [("tide 潮", True), ("приливы", False), ("42", True), ("", True)]
)
def test_a_query_in_other_letters_is_not_for_an_english_model(query: str, is_read: bool) -> None:
    assert built(TIDES).reads(query) == is_read
    assert SearchIndex(4, reads_any_script=True).reads(query)


def test_a_query_the_model_cannot_read_is_answered_by_words() -> None:
    page = make_page("ru", ["приливы гавань", "зима сигнал"])
    hits = built(page).search("приливы", embed("tide"))
    assert [(hit.chunk.text, hit.dense) for hit in hits] == [("приливы гавань", None)]


def test_a_page_has_vectors_once_all_its_chunks_have() -> None:
    index = SearchIndex(DIMENSIONS)
    chunks = make_chunks(SIGNALS)
    index.add_page(SIGNALS, chunks, None)
    assert not index.has_vectors(SIGNALS.source)
    index.set_vectors(SIGNALS.source, vectors_of(chunks))
    assert index.has_vectors(SIGNALS.source)
    index.remove_page(SIGNALS.source)
    assert not index.has_vectors(SIGNALS.source)
