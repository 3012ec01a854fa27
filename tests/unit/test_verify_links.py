"""wording, links, negation: sentences whose words are all there, put together anew."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.model import Verdict
from tabwise.core.text.terms import terms
from tabwise.core.verdicts.contrasts import opposite_terms
from tabwise.core.verdicts.light_words import light_terms, same_terms
from tabwise.core.verdicts.links import clauses
from tabwise.core.verdicts.negation import n_negations, polarities
from tabwise.core.verdicts.verify import judge
from tabwise.core.verdicts.wording import find_changes, words_in

CHAIRS = (
    "The chair is Mary Olsen. Before her, the panel was led by Ivan Petrov, who resigned in May 2015. Earlier"
    " chairs were Rosa Diaz, elected in 2002; Paul Weber in 1997; and Anna Lind in 1988."
)
ROUTES = (
    "Northern Ferries carried 210,000 passengers in 2014 and 340,000 in 2019. Baltic Lines carried 90,000"
    " passengers in 2019. The Coast Guard rescued the Harbour Pilots near Visby."
)

SUPPORTED = [
    (CHAIRS, "Paul Weber was elected in 1997."),
    (CHAIRS, "Ivan Petrov resigned in May 2015."),
    (ROUTES, "In 2014, Northern Ferries carried 210,000 passengers."),
    (ROUTES, "Northern Ferries carried 340,000 passengers in 2019."),
    (ROUTES, "The Harbour Pilots were rescued by the Coast Guard near Visby."),
    (ROUTES, "Northern Ferries carried 210,000 passengers in 2014, and Baltic Lines carried 90,000 in 2019."),
]
DOUBTED = [
    ("奥巴马访问了肯尼亚。", "奥巴马没有访问肯尼亚。"),
    (CHAIRS, "Anna Lind was elected in 1997."),
    (CHAIRS, "Earlier chairs were Rosa Diaz, elected in 2002; Anna Lind in 1997; and Paul Weber in 1988."),
    (CHAIRS, "The panel was led by Paul Weber, who resigned in May 2015."),
    (CHAIRS, "Rosa Diaz resigned in May 2015."),
    (ROUTES, "Northern Ferries carried 340,000 passengers in 2014."),
    (ROUTES, "Baltic Lines carried 210,000 passengers in 2014."),
    (ROUTES, "The Harbour Pilots rescued the Coast Guard near Visby."),
]


@pytest.mark.parametrize(("cited", "sentence"), SUPPORTED, ids=[case[1] for case in SUPPORTED])
def test_put_together_as_the_text_does(cited: str, sentence: str) -> None:
    judgement = judge(sentence, [cited])
    assert judgement.verdict is Verdict.SUPPORTED, judgement.reasons


@pytest.mark.parametrize(("cited", "sentence"), DOUBTED, ids=[case[1] for case in DOUBTED])
def test_put_together_otherwise(cited: str, sentence: str) -> None:
    judgement = judge(sentence, [cited])
    assert judgement.verdict in (Verdict.PARTLY, Verdict.CONTRADICTED), judgement.reasons


OTHER_LANGUAGES = [
    ("Der Turm wurde am 31. März 1889 fertig. Er besteht nicht aus Stahl.", "Er besteht aus Stahl."),
    ("Der Turm wurde am 31. März 1889 fertig.", "Der Turm wurde am 30. März 1889 fertig."),
    ("Das Gerät ist für Kinder geeignet.", "Das Gerät ist für Kinder nicht geeignet."),
    ("La tour a été achevée le 31 mars 1889.", "La tour a été achevée le 31 mai 1889."),
    ("Le vaccin ne protège pas les enfants.", "Le vaccin protège les enfants."),
    ("El puente mide 330 metros.", "El puente mide 330 kilómetros."),
    ("El banco cerró la oficina de Lima.", "El banco no cerró la oficina de Lima."),
    ("Башня построена 31 марта 1889 года.", "Башня построена 31 мая 1889 года."),
    ("Этот мост является пешеходным.", "Этот мост не является пешеходным."),
    ("该塔于1889年3月31日建成。", "该塔于1889年5月31日建成。"),
]


@pytest.mark.parametrize(("cited", "sentence"), OTHER_LANGUAGES, ids=[case[1] for case in OTHER_LANGUAGES])
def test_contradicted_in_other_languages(cited: str, sentence: str) -> None:
    judgement = judge(sentence, [cited])
    assert judgement.verdict is Verdict.CONTRADICTED, judgement.reasons


@pytest.mark.parametrize(
    ("cited", "sentence"),
    [
        ("Der Turm ist 330 Meter hoch und wurde 1889 fertig.", "Der Turm wurde 1889 fertig."),
        ("La tour mesure 330 mètres et pèse 7 300 tonnes.", "La tour pèse 7 300 tonnes."),
        ("El puente mide 330 metros y se abrió en 1998.", "El puente se abrió en 1998."),
        ("Башня построена 31 марта 1889 года в Париже.", "Башня построена в 1889 году в Париже."),
        ("2015 年 7 月，奥巴马访问肯尼亚，受到欢迎。", "奥巴马于 2015 年 7 月访问肯尼亚。"),
    ],
)
def test_supported_in_other_languages(cited: str, sentence: str) -> None:
    judgement = judge(sentence, [cited])
    assert judgement.verdict is Verdict.SUPPORTED, judgement.reasons


def test_one_word_that_is_not_there_makes_partly() -> None:
    cited = "The valley has a strong connection with the mining towns of the north."
    judgement = judge("The valley has a famous connection with the mining towns of the north.", [cited])
    assert (judgement.verdict, judgement.reasons) == (Verdict.PARTLY, ("missing:famous",))


@given(st.sampled_from([*SUPPORTED, *DOUBTED]), st.sampled_from([CHAIRS, ROUTES]))
def test_another_cited_text_never_makes_a_supported_sentence_not_found(
    case: tuple[str, str], added: str
) -> None:
    cited, sentence = case
    alone, together = judge(sentence, [cited]), judge(sentence, [cited, added])
    assert alone.verdict is not Verdict.SUPPORTED or together.verdict is not Verdict.NOT_FOUND


@pytest.mark.parametrize(
    ("text", "language", "n"),
    [
        ("It is not safe, and nobody says so.", "en", 2),
        ("Not only safe but cheap.", "en", 0),
        ("No city in Europe is larger than London.", "en", 0),
        ("Er hat kein Geld und geht nie aus.", "de", 2),
        ("Elle ne vient pas.", "fr", 1),
        ("No hay nada sin precio.", "es", 3),
        ("Он не был там никогда.", "ru", 2),
        ("非洲没有雪。", "zh", 1),
        ("Qualquer coisa não.", "pt", 0),
    ],
)
def test_negations_are_counted(text: str, language: str, n: int) -> None:
    assert n_negations(text, language) == n


def test_a_negation_reaches_two_terms() -> None:
    found = polarities("Das Gerät ist nicht für Kinder geeignet, aber billig.", "de")
    assert found[terms("Kinder", "de")[0]] == {True}
    assert found[terms("billig", "de")[0]] == {False}


def test_clauses_end_where_another_thing_is_said_of() -> None:
    text = "Ana won in 1997, Ben (the elder, of Rome) lost 5,000 points; between 10 and 20 km, and Eve ran"
    assert [clause.strip(" ,;") for clause in clauses(text)] == [
        "Ana won in 1997",
        "Ben (the elder, of Rome) lost 5,000 points",
        "between 10 and 20 km",
        "and Eve ran",
    ]


@given(st.text())
def test_clauses_keep_every_character(text: str) -> None:
    assert "".join(clauses(text)).split() == text.split()


def changed_words(sentence: str, source: str, *elsewhere: str) -> list[str]:
    changes = find_changes(
        words_in(sentence, "en"),
        words_in(source, "en"),
        [words_in(text, "en") for text in elsewhere],
        light=light_terms("en"),
        language="en",
        is_same=lambda a, b: a == b or b in same_terms(a),
    )
    return [word.text for word in changes.words] + ["not"] * changes.is_turned


SINGER = "Brian Johnson was a member of the local band Geordie before becoming the singer of AC/DC."


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        (SINGER, []),
        ("Brian Johnson was a member of the local band Geordie.", []),
        ("Before becoming the singer of AC/DC, Brian Johnson was a member of the local band Geordie.", []),
        (SINGER.replace("local", "regional"), ["regional"]),
        (SINGER.replace("Geordie", "Venom"), ["venom"]),
        (SINGER.replace("Geordie", "AC/DC"), ["ac/dc"]),
        (SINGER.replace("was a", "was not a"), ["not"]),
        ("Somebody else entirely sang.", []),
    ],
)
def test_what_was_put_in_the_place_of_something(sentence: str, changed: list[str]) -> None:
    assert changed_words(sentence, SINGER) == changed


def test_a_piece_of_another_sentence_is_merged_not_changed() -> None:
    merged = SINGER.replace("the local band Geordie", "the local band Geordie, famous for loud stage lights,")
    assert changed_words(merged, SINGER) == ["famous", "loud", "stage", "lights"]
    assert changed_words(merged, SINGER, "They were famous for loud stage lights.") == []


def test_words_leave_out_numbers_and_dates() -> None:
    assert [word.text for word in words_in("It weighs 7,300 tonnes since 31 March 1889.", "en")] == [
        "it",
        "weighs",
        "since",
    ]


def test_no_two_words_are_same_and_opposite() -> None:
    for term in terms("win lose rise fall increase decrease open close buy sell start stop big small"):
        assert same_terms(term).isdisjoint(opposite_terms(term))
