"""Is the evidence enough, and what of whole pages fits: sufficiency and readings."""

from hypothesis import given
from hypothesis import strategies as st

from fakes import capture_of
from tabwise.core.answers.plan import plan_by_rules
from tabwise.core.answers.reading import allot, parts_of, take
from tabwise.core.answers.sufficiency import Level, assess, refined_query
from tabwise.core.model import Hit, Page
from tabwise.core.page.blocks import build_page
from tabwise.core.page.chunking import chunk_page
from tabwise.core.search.relevance import relevance

TIDES = build_page(
    capture_of(
        "https://sea.example/",
        "Tides",
        "The tidal range in the Bay of Fundy reaches 16.3 metres.",
        "Spring tides occur around the new moon in 2024.",
        headings=("Range", "Timing"),
    ),
    None,
    0.0,
)


def hits_of(page: Page) -> list[Hit]:
    chunks = chunk_page(page, lambda text: len(text.split()))
    return [Hit(chunk, 1.0, 0.5, 1.0, 1, 1) for chunk in chunks]


def missing(question: str, page: Page = TIDES) -> tuple[str, ...]:
    plan = plan_by_rules(question)
    return assess(plan, [hits_of(page) for _ in plan.queries], {page.source: page}).missing


def test_a_name_number_or_quotation_that_no_page_has_is_missing() -> None:
    assert missing("How large is the tidal range in the Bay of Fundy?") == ()
    assert missing("How large is the tidal range in Bristol?") == ("Bristol",)
    assert missing("When do spring tides occur in 2031?") == ("2031",)
    assert missing("What does it say about “neap tides”?") == ("neap tides",)


def test_a_word_that_is_no_name_is_not_missed() -> None:
    assert missing("How enormous is the tidal range?") == ()


def test_a_question_in_another_language_than_the_page_misses_no_names() -> None:
    assert missing("¿Cuál es la amplitud de la marea en la Bahía de Fundy?") == ()
    assert missing("Wie groß ist der Tidenhub in der Bucht?") == ()


def test_a_query_without_hits_is_what_is_missing() -> None:
    plan = plan_by_rules("Compare tides and bread")
    judged = assess(plan, [hits_of(TIDES), []], {TIDES.source: TIDES})
    assert (judged.level, judged.missing) == (Level.PART, ("bread",))
    assert assess(plan, [[], []], {}).level is Level.NOTHING


def test_a_second_search_is_for_what_is_missing_or_the_rarest_words_of_a_long_question() -> None:
    long = (
        "Hello, could you perhaps be so kind as to tell me all that you know about the tidal range of it all"
    )
    idf = {"tidal": 3.0, "rang": 2.0}

    def query(question: str, missing: list[str], known: frozenset[str] = frozenset(idf)) -> str:
        plan = plan_by_rules(question)
        return refined_query(plan, missing, lambda term: idf.get(term, 0.1), known.__contains__)

    assert query("How large is it in Bristol?", ["Bristol"]) == "Bristol"
    assert query(long, []) == "tidal range"
    assert query(long, [], frozenset()) == ""
    assert query("What about the tidal range?", []) == ""


SIZES = st.lists(st.integers(0, 5000), max_size=10)


@given(SIZES, st.integers(0, 20_000))
def test_a_budget_is_shared_evenly_and_what_is_unused_goes_to_others(sizes: list[int], budget: int) -> None:
    shares = allot(sizes, budget)
    assert all(0 <= share <= size for share, size in zip(shares, sizes, strict=True))
    assert sum(shares) <= budget
    wanting = [share for share, size in zip(shares, sizes, strict=True) if share < size]
    satisfied = [share for share, size in zip(shares, sizes, strict=True) if share == size]
    assert not wanting or (max(wanting) - min(wanting) <= 1 and sum(shares) > budget - len(sizes))
    assert not wanting or not satisfied or max(satisfied) <= max(wanting) + 1


def test_sections_are_read_whole_and_in_order() -> None:
    parts = parts_of(TIDES, len)
    assert [part.heading for part in parts] == ["Range", "Timing"]
    taken, left_out = take(TIDES, parts, parts[0].n_tokens + 5, len)
    assert ([part.heading for part in taken], [part.heading for part in left_out]) == (["Range"], ["Timing"])


def test_a_first_section_that_is_too_long_is_begun() -> None:
    page = build_page(capture_of("https://long.example/", "Long", "One two three. " * 50), None, 0.0)
    (part,) = parts_of(page, len)
    (begun,), (left,) = take(page, [part], 100, len)
    assert left == part
    assert 80 <= begun.end - begun.start <= 100
    assert page.text[: begun.end].endswith("three.")


def test_relevance_means_the_same_for_every_page() -> None:
    idf = {"tidal": 2.0, "rang": 2.0, "bread": 4.0}.get
    hit = hits_of(TIDES)[0]
    full = relevance("tidal range", hit, TIDES, lambda term: idf(term, 1.0))
    half = relevance("tidal range bread", hit, TIDES, lambda term: idf(term, 1.0))
    assert (full, half) == ((1.0 + 0.5) / 2, (0.5 + 0.5) / 2)
