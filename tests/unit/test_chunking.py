"""Chunks: whole units, along headings, within the token limit."""

import hashlib
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.model import Block, BlockKind, Chunk, Page, SourceId
from tabwise.core.page.chunking import chunk_page, iter_chunks

KINDS = {
    "#": BlockKind.HEADING,
    "p": BlockKind.PARAGRAPH,
    "-": BlockKind.ITEM,
    "|": BlockKind.ROW,
    "=": BlockKind.CODE,
    ">": BlockKind.QUOTE,
}


def page_of(*blocks: tuple[str, int, str], title: str = "Tides") -> Page:
    """A page of (kind sign, level, text) blocks."""
    placed: list[Block] = []
    at = 0
    for sign, level, text in blocks:
        placed.append(Block(KINDS[sign], at, at + len(text), level))
        at += len(text) + 1
    text = "\n".join(text for _, _, text in blocks)
    source = SourceId("https://example.com/tides")
    return Page(source, source, title, "en", text, tuple(placed), "hash", 0.0, 0, len(text), len(text))


def count_words(text: str) -> int:
    """A tokenizer with a token a word, and two special ones."""
    return 2 + len(text.split())


def count_pieces(text: str) -> int:
    """A tokenizer like word pieces: six letters, or any other character, make a token."""
    return 2 + len(re.findall(r"[a-zA-Z]{1,6}|[^\sa-zA-Z]", text))


def sentence(number: int, n_words: int = 10) -> str:
    return " ".join([f"Fact{number}", *["word"] * (n_words - 2), "ends."])


def prose(n_sentences: int, n_words: int = 10) -> str:
    return " ".join(sentence(number, n_words) for number in range(n_sentences))


def uncovered(page: Page, chunks: tuple[Chunk, ...]) -> str:
    covered = {at for chunk in chunks for at in range(chunk.start, chunk.end)}
    return "".join(c for at, c in enumerate(page.text) if at not in covered and not c.isspace())


def test_chunk_is_a_span_with_identity() -> None:
    page = page_of(("p", 0, sentence(1)))
    (chunk,) = chunk_page(page, count_words)
    prefix = hashlib.sha256(b"https://example.com/tides").hexdigest()[:12]
    assert chunk.id == f"{prefix}-00000"
    assert chunk.source == page.source
    assert chunk.text == page.text[chunk.start : chunk.end] == sentence(1)
    assert chunk.embedding_text == f"Tides\n{sentence(1)}"
    assert chunk.content_hash == hashlib.sha256(chunk.embedding_text.encode()).hexdigest()
    assert chunk.n_tokens == count_words(chunk.embedding_text)


def test_chunks_hold_about_110_words_and_repeat_20() -> None:
    chunks = chunk_page(page_of(("p", 0, prose(100))), count_words)
    assert {len(chunk.text.split()) for chunk in chunks[:-1]} == {110}
    for before, after in pairwise(chunks):
        assert before.text.split()[-20:] == after.text.split()[:20]
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))


def test_without_overlap_every_word_is_in_one_chunk() -> None:
    page = page_of(("p", 0, prose(50)))
    chunks = chunk_page(page, count_words, overlap_words=0)
    assert " ".join(chunk.text for chunk in chunks) == page.text


def test_short_rest_is_added_instead_of_standing_alone() -> None:
    assert len(chunk_page(page_of(("p", 0, prose(13))), count_words)) == 1


def test_sections_are_not_mixed() -> None:
    page = page_of(
        ("#", 1, "Power"),
        ("p", 0, sentence(1)),
        ("#", 2, "History"),
        ("p", 0, sentence(2)),
        ("#", 3, "Rance"),
        ("p", 0, sentence(3)),
        ("#", 2, "Cost"),
        ("p", 0, sentence(4)),
    )
    chunks = chunk_page(page, count_words)
    assert [chunk.heading_path for chunk in chunks] == [
        ("Power",),
        ("Power", "History"),
        ("Power", "History", "Rance"),
        ("Power", "Cost"),
    ]
    assert chunks[2].text == f"Rance\n{sentence(3)}"
    assert chunks[2].embedding_text == f"Tides\nPower > History\nRance\n{sentence(3)}"


def test_later_chunk_of_a_section_has_its_heading_in_front() -> None:
    chunks = chunk_page(page_of(("#", 2, "History"), ("p", 0, prose(30))), count_words)
    assert chunks[0].text.startswith("History\n")
    assert chunks[1].embedding_text.startswith("Tides\nHistory\nFact")
    assert chunks[1].heading_path == ("History",)


def test_heading_that_the_title_holds_is_not_said_twice() -> None:
    page = page_of(("#", 1, "Tidal power"), ("p", 0, prose(30)), title="Tidal power – Reference")
    assert chunk_page(page, count_words)[1].embedding_text.startswith("Tidal power – Reference\nFact")


def test_heading_that_shares_letters_with_the_title_is_said() -> None:
    page = page_of(("#", 1, "Art"), ("p", 0, sentence(1)), title="Article")
    assert chunk_page(page, count_words)[0].embedding_text.startswith("Article\nArt\nFact")


def test_headings_without_text_go_with_the_next_section() -> None:
    page = page_of(("#", 1, "Power"), ("#", 2, "History"), ("p", 0, sentence(1)))
    (chunk,) = chunk_page(page, count_words)
    assert chunk.text == page.text
    assert chunk.heading_path == ("Power", "History")


def test_page_of_headings_alone_is_covered() -> None:
    page = page_of(*(("#", 3, f"Headline number {number} of the day") for number in range(100)))
    chunks = chunk_page(page, count_words)
    assert uncovered(page, chunks) == ""
    assert 5 <= len(chunks) <= 30


def test_rows_items_and_code_lines_are_never_cut() -> None:
    rows = [("|", 0, f"Row{number} " + "a b c d " * 10 + "end\tcell") for number in range(30)]
    items = [("-", 0, f"Item{number}. One fact. " + "e f g h " * 10) for number in range(30)]
    code = [("=", 0, "\n".join(f"line{number} = value({number}, 'x y z')" for number in range(200)))]
    page = page_of(*rows, *[(sign, level, text.strip()) for sign, level, text in items], *code)
    borders = {0, len(page.text)} | {at for at, c in enumerate(page.text) if c == "\n"}
    for chunk in chunk_page(page, count_words):
        assert chunk.start == 0 or chunk.start - 1 in borders
        assert chunk.end in borders
        assert chunk.n_tokens <= 256


def test_rows_are_embedded_with_their_headers() -> None:
    page = page_of(
        ("|", 1, "\tYear\tPower"),
        ("|", 0, "Rance\t1966\t240 MW"),
        ("|", 0, "Sihwa\t\t254 MW"),
        ("p", 0, "After the table."),
        ("|", 0, "no\theader"),
    )
    (chunk,) = chunk_page(page, count_words)
    assert chunk.text == page.text
    assert chunk.embedding_text.split("\n") == [
        "Tides",
        "Year | Power",
        "Rance | Year: 1966 | Power: 240 MW",
        "Sihwa | Power: 254 MW",
        "After the table.",
        "no | header",
    ]


def test_row_that_fits_alone_stays_whole_without_headers() -> None:
    cells = [f"value{number}" for number in range(40)]
    page = page_of(
        ("|", 1, "\t".join(f"a rather long header{n}" for n in range(40))), ("|", 0, "\t".join(cells))
    )
    chunks = chunk_page(page, count_words, max_tokens=100)
    assert "\t".join(cells) in [chunk.text for chunk in chunks]


@pytest.mark.parametrize(("n_words", "n_tokens"), [(252, [255]), (253, [256])])
@pytest.mark.fault("F40")
def test_item_within_the_limit_is_whole(n_words: int, n_tokens: list[int]) -> None:
    chunks = chunk_page(page_of(("-", 0, " ".join(["word"] * n_words))), count_words)
    assert [chunk.n_tokens for chunk in chunks] == n_tokens  # a title and two special tokens more


@pytest.mark.fault("F40")
def test_item_one_token_above_the_limit_is_embedded_without_title() -> None:
    (chunk,) = chunk_page(page_of(("-", 0, " ".join(["word"] * 254))), count_words)
    assert chunk.n_tokens == 256
    assert chunk.embedding_text == chunk.text


def test_item_that_alone_is_above_the_limit_is_cut_at_the_sentence_nearest_the_middle() -> None:
    page = page_of(("-", 0, f"{prose(1, 60)} {prose(1, 90)} {prose(1, 110)}"))
    chunks = chunk_page(page, count_words)
    assert [len(chunk.text.split()) for chunk in chunks] == [150, 110]


@pytest.mark.parametrize(
    "blocks",
    [
        [("p", 0, "x" * 100_000)],
        [("=", 0, "\n".join(["QUJD" * 19] * 500))],
        [("p", 0, "今天天气很好我们去公园吧。" * 300)],
        [("p", 0, "今天天气很好我们去公园吧" * 300)],
        [("p", 0, "👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇫🇷❤️" * 300)],
        [("p", 0, "ทดสอบภาษาไทย" * 300)],
        [("p", 0, "e" + "\u0301" * 5000)],
        [("#", 1, "heading " * 500), ("p", 0, "text")],
        [("#", level, f"Heading {level} " + "long " * 40) for level in range(1, 7)] + [("p", 0, prose(30))],
        [("|", 1, "\t".join(["header"] * 300)), ("|", 0, "\t".join(["1"] * 300))],
        [("-", 0, prose(200))],
        [("p", 0, "https://example.com/" + "a/b" * 500)],
    ],
)
@pytest.mark.parametrize("max_tokens", [24, 128, 256])
@pytest.mark.fault("F40", "F41")
def test_hard_pages_are_covered_within_the_limit(blocks: list[tuple[str, int, str]], max_tokens: int) -> None:
    page = page_of(*blocks)
    chunks = chunk_page(page, count_pieces, max_tokens=max_tokens)
    assert uncovered(page, chunks) == ""
    assert all(count_pieces(chunk.embedding_text) == chunk.n_tokens <= max_tokens for chunk in chunks)
    assert max(len(chunk.text) for chunk in chunks) < 2500


def test_long_word_that_is_one_token_is_cut_all_the_same() -> None:
    # Word pieces know words of up to 100 characters; anything longer is one unknown token.
    chunks = chunk_page(page_of(("p", 0, "x" * 100_000)), count_words)
    assert max(len(chunk.text) for chunk in chunks) < 2500


def test_emoji_are_never_cut_apart() -> None:
    family = "👨‍👩‍👧‍👦"
    chunks = chunk_page(page_of(("p", 0, family * 500)), count_pieces)
    assert {len(chunk.text) % len(family) for chunk in chunks} == {0}


@pytest.mark.parametrize("title", ["Title " * 300, "题" * 2000, "x" * 5000])
def test_giant_title_leaves_room_for_text(title: str) -> None:
    for chunk in chunk_page(page_of(("p", 0, prose(40)), title=title), count_pieces):
        assert chunk.n_tokens <= 256
        assert len(chunk.text.split()) >= 30


def test_limit_without_room_is_an_error() -> None:
    with pytest.raises(ValueError, match="no room"):
        chunk_page(page_of(("p", 0, "word")), count_words, max_tokens=2)


@pytest.mark.fault("F41")
def test_scripts_without_spaces_are_counted_in_words() -> None:
    chunks = chunk_page(page_of(("p", 0, "今天天气很好。" * 200)), count_words, max_tokens=10_000)
    assert {len(chunk.text) for chunk in chunks[:-1]} <= set(range(200, 260))


def test_exact_counting_is_asked_about_once_a_chunk() -> None:
    calls: list[str] = []

    def count(text: str) -> int:
        calls.append(text)
        return count_pieces(text)

    chunks = chunk_page(page_of(("#", 1, "One"), ("p", 0, prose(500))), count)
    assert len(calls) <= 1.2 * len(chunks) + 4


def test_chunks_come_one_by_one() -> None:
    page = page_of(("p", 0, prose(500)))
    first = next(iter_chunks(page, count_words))
    assert first == chunk_page(page, count_words)[0]


BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(sorted(KINDS)),
        st.integers(1, 6),
        st.lists(
            st.sampled_from(["Word", "ends.", "中文。", "x" * 90, "👩🏽", "1.5", "é", "\t"]),
            min_size=1,
            max_size=60,
        ).map(" ".join),
    ),
    min_size=1,
    max_size=12,
)


@given(BLOCKS, st.integers(20, 300), st.integers(5, 150), st.integers(0, 40))
@pytest.mark.fault("F41")
def test_any_page_is_covered_in_order_within_the_limit(
    blocks: list[tuple[str, int, str]], max_tokens: int, target_words: int, overlap_words: int
) -> None:
    page = page_of(*blocks)
    chunks = chunk_page(
        page, count_pieces, target_words=target_words, overlap_words=overlap_words, max_tokens=max_tokens
    )
    assert uncovered(page, chunks) == ""
    assert all(chunk.text == page.text[chunk.start : chunk.end] and chunk.text for chunk in chunks)
    assert all(count_pieces(chunk.embedding_text) == chunk.n_tokens <= max_tokens for chunk in chunks)
    assert all(before.start < after.start and before.end < after.end for before, after in pairwise(chunks))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
