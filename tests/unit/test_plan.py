"""Planning by rules: follow-ups, comparisons, double questions, wishes for a summary, languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.answers.followup import Turn, stand_alone
from tabwise.core.answers.plan import MAX_QUERIES, Kind, plan_by_rules
from tabwise.core.text.language import NAMES, is_other_language, language_of


@pytest.mark.parametrize(
    ("before", "answer", "question", "alone"),
    [
        ("Who designed the Eiffel Tower?", "", "When was it built?", "When was the Eiffel Tower built?"),
        ("How many people lived in Rome?", "", "And in Paris?", "How many people lived in Paris?"),
        (
            "How many people lived in Berlin in 2010?",
            "",
            "and in 2020?",
            "How many people lived in Berlin in 2020?",
        ),
        (
            "How many people lived in Berlin in 2010?",
            "",
            "What about Hamburg?",
            "How many people lived in Hamburg in 2010?",
        ),
        ("Who wrote Dracula?", "Bram Stoker wrote it.", "Where was he born?", "Where was Bram Stoker born?"),
        ("How do heat pumps work?", "", "Why?", "How do heat pumps work? Why?"),
        ("How do heat pumps work?", "", "How much do they cost?", "How much do heat pumps cost?"),
        (
            "How large is the tidal range in the Bay of Fundy?",
            "",
            "When was it measured?",
            "When was the tidal range in the Bay of Fundy measured?",
        ),
        ("Wie hoch ist der Eiffelturm?", "", "Wann wurde er gebaut?", "Wann wurde der Eiffelturm gebaut?"),
        (
            "Wie viele Menschen leben in Berlin?",
            "",
            "Und in Hamburg?",
            "Wie viele Menschen leben in Hamburg?",
        ),
        (
            "¿Cuántas personas viven en Madrid?",
            "",
            "¿Y en Sevilla?",
            "¿Cuántas personas viven en Sevilla?",
        ),
    ],
)
def test_a_follow_up_stands_alone(before: str, answer: str, question: str, alone: str) -> None:
    assert stand_alone(question, (Turn(before, answer),)) == alone


@pytest.mark.parametrize(
    "question",
    ["Who composed Carmen?", "How long does it take to bake bread?", "Is it true that Rome is old?"],
)
def test_a_new_question_is_left_alone(question: str) -> None:
    assert stand_alone(question, (Turn("How large is the tidal range?", "16 metres."),)) == question


def test_without_history_nothing_is_rewritten() -> None:
    assert stand_alone("When was it built?", ()) == "When was it built?"


@pytest.mark.parametrize(
    ("question", "topics", "first_query"),
    [
        (
            "What is the difference between heat pumps and gas boilers?",
            ("heat pumps", "gas boilers"),
            "heat pumps",
        ),
        (
            "Compare wind power and solar power in terms of cost",
            ("wind power", "solar power"),
            "wind power in terms of cost",
        ),
        ("Python versus Rust: speed", ("Python", "Rust"), "Python speed"),
        (
            "Which is cheaper, a heat pump or a gas boiler?",
            ("heat pump", "gas boiler"),
            "heat pump cheaper",
        ),
        ("Vergleiche Berlin mit Hamburg", ("Berlin", "Hamburg"), "Berlin"),
        (
            "Was ist der Unterschied zwischen Wärmepumpen und Gasheizungen?",
            ("Wärmepumpen", "Gasheizungen"),
            "Wärmepumpen",
        ),
        ("¿Cuál es la diferencia entre Madrid y Sevilla?", ("Madrid", "Sevilla"), "Madrid"),
    ],
)
def test_a_comparison_is_split_by_topic(question: str, topics: tuple[str, ...], first_query: str) -> None:
    plan = plan_by_rules(question)
    assert (plan.kind, plan.topics, plan.queries[0]) == (Kind.COMPARE, topics, first_query)
    assert len(plan.queries) == len(topics)


@pytest.mark.parametrize(
    "question",
    [
        "How many people live in Rome and Paris?",
        "What is the comparison operator in Python?",
        "Is the river longer than 100 km?",
        "Summarize how BM25 works",
    ],
)
def test_what_only_looks_like_a_comparison_or_summary_is_one_query(question: str) -> None:
    plan = plan_by_rules(question)
    assert (plan.kind, plan.queries) == (Kind.ANSWER, (question,))


def test_a_double_question_is_two_queries_and_the_second_stands_alone() -> None:
    plan = plan_by_rules("Who built the Eiffel Tower and when was it finished?")
    assert plan.queries == ("Who built the Eiffel Tower?", "when was the Eiffel Tower finished?")
    plan = plan_by_rules("Who composed Carmen? When was it first performed?")
    assert plan.queries == ("Who composed Carmen?", "When was Carmen first performed?")


@pytest.mark.parametrize(
    "question",
    [
        "Summarise this page",
        "What are the main points of “Tides”?",
        "Worum geht es auf dieser Seite?",
        "Fasse die Seite bitte zusammen",
        "Resume esta página",
    ],
)
def test_a_wish_for_a_summary_is_read(question: str) -> None:
    assert plan_by_rules(question).kind is Kind.READ


def test_a_follow_up_can_be_a_comparison() -> None:
    plan = plan_by_rules(
        "And how does it differ from TF-IDF?", [Turn("What is BM25?", "A ranking function.")]
    )
    assert (plan.kind, plan.topics, plan.is_follow_up) == (Kind.COMPARE, ("BM25", "TF-IDF"), True)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How high is the tower?", "en"),
        ("Wie hoch ist der Turm?", "de"),
        ("¿Qué altura tiene la torre?", "es"),
        ("Quelle est la hauteur de la tour ?", "fr"),
        ("Сколько турбин?", "ru"),
        ("这座塔有多高?", "zh"),
        ("東京都はどこですか", "ja"),
        ("BM25", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_question(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("sentence", "language", "is_other"),
    [
        ("In der Bay of Fundy steigt das Wasser.", "en", True),
        ("In der Bay of Fundy steigt das Wasser.", "de", False),
        ("The tide rises in the bay.", "de", True),
        ("芬迪湾的潮差", "en", True),
        ("Bay of Fundy", "zh", True),
        ("16.3", "zh", False),
        ("東京都庁", "ja", False),
        ("![logo](https://a.example/l.png) of d and y", "en", False),
        ("h11 contains no IO code whatsoever.", "en", False),
        ("Gezeitenkraftwerk 240 MW", "de", False),
    ],
)
def test_a_sentence_is_in_another_language_only_for_certain(
    sentence: str, language: str, is_other: bool
) -> None:
    assert is_other_language(sentence, language) is is_other


@given(st.text(min_size=1).filter(str.strip), st.lists(st.builds(Turn, st.text(), st.text()), max_size=2))
def test_any_question_has_a_plan_within_bounds(question: str, history: list[Turn]) -> None:
    plan = plan_by_rules(question, history)
    assert 1 <= len(plan.queries) <= MAX_QUERIES
    assert all(query.strip() for query in plan.queries)
    assert plan.language in NAMES
    assert plan.topics == () or len(plan.topics) == len(plan.queries)
