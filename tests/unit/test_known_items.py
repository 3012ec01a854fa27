"""Questions made from pages, and what counts as having found the answer."""

from tabwise.core.model import Block, BlockKind, Chunk, Hit, Page, SourceId, head_of
from tabwise.core.page.chunking import chunk_page
from tabwise.core.search.known_items import MAX_KEYWORDS, KnownItem, is_at_the_place, known_items, rank_of
from tabwise.eval.collection import plain_page

TEXT = (
    "The largest tidal range on Earth is found in the Bay of Fundy. "
    "Spring tides occur around the new moon and the full moon every month. "
    "Short one. "
    "Neap tides happen when the sun and the moon pull at right angles to each other."
)
PAGE = plain_page("tides", "Tides", TEXT, language="en")


def count(text: str) -> int:
    return len(text.split())


def chunked(*pages: Page) -> list[tuple[Page, tuple[Chunk, ...]]]:
    return [(page, chunk_page(page, count, target_words=15, overlap_words=0)) for page in pages]


def idf(term: str) -> float:
    """Longer is rarer."""
    return float(len(term))


def made(pages: list[tuple[Page, tuple[Chunk, ...]]], *, limit: int) -> list[KnownItem]:
    chunks = {page.source: of_page for page, of_page in pages}
    heads = [head_of(page, len(of_page)) for page, of_page in pages]
    return list(known_items(heads, lambda source, ordinal: chunks[source][ordinal], idf, limit=limit))


def hit(chunk: Chunk) -> Hit:
    return Hit(chunk=chunk, score=1.0, dense=None, lexical=1.0, rank_dense=None, rank_lexical=1)


def test_an_item_is_a_sentence_of_its_page_and_its_query_is_made_of_its_words() -> None:
    items = made(chunked(PAGE), limit=10)
    assert items
    for item in items:
        assert PAGE.text[item.start : item.end] == item.text
        words = item.text.rstrip(".").split()
        assert [word for word in words if word in item.query.split()] == item.query.split()
        assert set(item.query.split()) < set(words)


def test_keywords_and_cloze_take_turns_and_leave_the_rarest_word_out() -> None:
    pages = [
        plain_page(
            f"p{i}",
            "T",
            f"Alpha{i} beta gamma deltas epsilons zeta and extraordinary{i} things.",
            language="en",
        )
        for i in range(4)
    ]
    items = made(chunked(*pages), limit=4)
    lengths = [len(item.query.split()) for item in items]
    assert lengths[0::2] == [MAX_KEYWORDS, MAX_KEYWORDS]
    assert lengths[1::2] == [8, 8]
    assert not any("extraordinary" in item.query for item in items)


def test_the_same_pages_give_the_same_items_in_any_order() -> None:
    other = plain_page(
        "other", "Bread", "Bake the loaf at 240 degrees for about 35 minutes in all.", language="en"
    )
    once = made(chunked(PAGE, other), limit=3)
    assert made(chunked(other, PAGE), limit=3) == once
    assert made(chunked(PAGE, other), limit=1) == once[:1]


def test_no_more_chunks_are_read_than_items_are_wanted() -> None:
    ((page, chunks),) = chunked(plain_page("long", "", " ".join([TEXT] * 50), language="en"))
    asked = []

    def chunk_of(source: SourceId, ordinal: int) -> Chunk:
        asked.append(ordinal)
        return chunks[ordinal]

    items = list(known_items([head_of(page, len(chunks))], chunk_of, idf, limit=5))
    assert len(items) == 5
    assert len(set(asked)) == len(asked) <= 10
    assert asked != sorted(asked)


def test_pages_that_left_meanwhile_are_passed_over() -> None:
    ((page, chunks),) = chunked(PAGE)
    assert list(known_items([head_of(page, len(chunks))], lambda source, ordinal: None, idf, limit=5)) == []


def test_a_script_without_spaces_gives_the_second_half() -> None:
    page = plain_page("zh", "", "潮汐发电站利用海水涨落的能量来发电供应城市。", language="zh")
    (item,) = made(chunked(page), limit=1)
    assert item.text.endswith(item.query)
    assert 0 < len(item.query) < len(item.text)


def test_an_item_is_found_where_it_is_covered_or_repeated() -> None:
    ((_, chunks),) = chunked(PAGE)
    ((_, copies),) = chunked(plain_page("copy", "", TEXT, language="en"))
    own = next(chunk for chunk in chunks if "Spring" in chunk.text)
    start = TEXT.index("Spring")
    item = KnownItem("q", PAGE.source, start, start + 20, TEXT[start : start + 20])
    rest = [hit(chunk) for chunk in chunks if chunk is not own]
    assert rank_of(item, [*rest, hit(own)]) == len(rest) + 1
    assert rank_of(item, rest) is None
    assert rank_of(item, [hit(chunk) for chunk in copies if "Spring" in chunk.text]) == 1


def test_a_citation_is_at_the_place_when_it_lies_in_the_same_paragraph() -> None:
    text = "The bay is deep.\n\nThe tide is high. It turns twice a day."
    first, second = (Block(BlockKind.PARAGRAPH, start, end) for start, end in ((0, 16), (18, len(text))))
    page = plain_page("bay", "Bay", text, language="en", blocks=(first, second))
    assert is_at_the_place(page, second.start + 18, (page.source, second.start, second.start + 17))
    assert not is_at_the_place(page, second.start, (page.source, first.start, first.end))
    assert not is_at_the_place(page, second.start, (page.source, first.start, second.end))
    assert not is_at_the_place(page, second.start, (SourceId("other"), second.start, second.end))
