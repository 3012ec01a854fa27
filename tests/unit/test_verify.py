"""verify: the verdict on a sentence, case by case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.model import Verdict
from tabwise.core.verdicts.verify import judge

S, P, C, N = Verdict.SUPPORTED, Verdict.PARTLY, Verdict.CONTRADICTED, Verdict.NOT_FOUND

TOWER = (
    "The Eiffel Tower is 330 metres tall and was completed on 31 March 1889. It was designed by"
    " engineers of Gustave Eiffel. About 5.9 million people visited it in 2022. It is not made of steel"
    " but of wrought iron."
)
TIDES = (
    "The MeyGen array has four turbines of 1.5 MW each. It delivered 17 GWh in 2019. The turbines do"
    " not harm seals, a study by the University of St Andrews found. Costs fell by 40 percent between"
    " 2015 and 2020. Tidal power is more predictable than wind power."
)
TRIAL = (
    "The drug reduced pain but did not reduce mortality in the trial. Of 1,234 patients, 24.3% reported"
    " nausea. Doses ranged from 5 to 10 mg per day. Dr. Maria Keller led the study in Basel. “The effect"
    " is smaller than we had hoped,” she said."
)
SHOP = (
    "The Basic plan costs $12 per month and includes 50 GB. The Pro plan costs $30 per month and"
    " includes 2 TB. Refunds are possible within 14 days. The service is available in Germany and"
    " Austria. Support answers from 9:00 to 17:00."
)

CASES = [
    # true, in the same or nearly the same words
    (S, TOWER, "The Eiffel Tower is 330 metres tall and was completed on 31 March 1889."),
    (S, TOWER, "It was designed by engineers of Gustave Eiffel."),
    (S, TOWER, "The Eiffel Tower is 330 m tall."),
    (S, TOWER, "The Eiffel Tower is 0.33 km tall."),
    (S, TOWER, "The Eiffel Tower was completed in 1889."),
    (S, TOWER, "The Eiffel Tower was completed in March 1889."),
    (S, TOWER, "The Eiffel Tower was completed on 1889-03-31."),
    (S, TOWER, "The Eiffel Tower was completed on March 31, 1889 [1]."),
    (S, TOWER, "5,900,000 people visited it in 2022."),
    (S, TOWER, "Visitors numbered 5.9 million in 2022."),
    (S, TOWER, "It is made of wrought iron, not of steel."),
    (S, TOWER, "Gustave Eiffel's engineers designed it."),
    (S, TIDES, "MeyGen has 4 turbines of 1.5 MW each."),
    (S, TIDES, "The MeyGen array has four turbines of 1,500 kW each."),
    (S, TIDES, "Costs fell by 40% between 2015 and 2020."),
    (S, TIDES, "Between 2015 and 2020, costs fell by 40 per cent."),
    (S, TIDES, "Turbines do not harm seals."),
    (S, TIDES, "The turbines don't harm seals."),
    (S, TIDES, "Tidal power is more predictable than wind power."),
    (S, TRIAL, "The drug reduced pain."),
    (S, TRIAL, "The drug did not reduce mortality."),
    (S, TRIAL, "24% of the patients reported nausea."),
    (S, TRIAL, "About 1,200 patients took part in the trial, and nausea was reported by 24.3%."),
    (S, TRIAL, "Doses ranged from 5 to 10 mg per day."),
    (S, TRIAL, "Doses were 5–10 mg per day."),
    (S, TRIAL, 'She said: "The effect is smaller than we had hoped."'),
    (S, TRIAL, "“The effect is smaller than we had hoped”, she said."),
    (S, TRIAL, "“The effect is … than we had hoped”, she said."),
    (S, TRIAL, "Maria Keller led the study."),
    (S, SHOP, "The Basic plan costs 12 dollars per month."),
    (S, SHOP, "The Pro plan includes 2,000 GB."),
    (S, SHOP, "Refunds are possible within two weeks."),
    (S, SHOP, "The service is available in Austria."),
    # a changed number or unit
    (C, TOWER, "The Eiffel Tower is 340 metres tall."),
    (C, TOWER, "The Eiffel Tower is 330 feet tall."),
    (C, TOWER, "About 5.9 billion people visited it in 2022."),
    (C, TIDES, "The MeyGen array has six turbines of 1.5 MW each."),
    (C, TIDES, "The MeyGen array has four turbines of 2.5 MW each."),
    (C, TIDES, "It delivered 17 MWh in 2019."),
    (C, TIDES, "Costs fell by 14 percent between 2015 and 2020."),
    (C, TRIAL, "Of 1,324 patients, 24.3% reported nausea."),
    (C, TRIAL, "Of 1,234 patients, 42.3% reported nausea."),
    (C, TRIAL, "Doses ranged from 5 to 20 mg per day."),
    (C, SHOP, "The Basic plan costs $20 per month."),
    (C, SHOP, "The Basic plan costs €12 per month."),
    (C, SHOP, "Refunds are possible within 30 days."),
    (C, SHOP, "Support answers from 8:00 to 17:00."),
    # a changed date
    (C, TOWER, "The Eiffel Tower was completed on 30 March 1889."),
    (C, TOWER, "The Eiffel Tower was completed in April 1889."),
    (C, TOWER, "The Eiffel Tower was completed in 1899."),
    (C, TIDES, "Costs fell by 40 percent between 2015 and 2021."),
    (C, "Oxygen was named in 1777. It was isolated in 1774.", "Oxygen was named in 1774."),
    # a swapped name
    (N, TOWER, "It was designed by engineers of Jean Dupont."),
    (N, TIDES, "The turbines do not harm seals, a study by the University of Glasgow found."),
    (N, TRIAL, "Dr. Peter Huber led the study in Basel."),
    (N, SHOP, "The service is available in Germany and Italy."),
    # a flipped negation or comparison
    (C, TOWER, "It is made of steel."),
    (C, TOWER, "The tower is made of steel."),
    (C, TOWER, "The Eiffel Tower was not completed on 31 March 1889."),
    (C, TIDES, "The turbines harm seals."),
    (C, TRIAL, "The drug reduced mortality."),
    (C, TRIAL, "The drug did not reduce pain."),
    (C, TRIAL, "The drug failed to reduce pain."),
    (C, SHOP, "Refunds are not possible within 14 days."),
    (C, "The old tune is still used in the show.", "The old tune is not still used in the show."),
    (C, SHOP, "The Basic plan costs $12 per month and does not include 50 GB."),
    (C, SHOP, "The service isn't available in Germany."),
    (C, TIDES, "Costs rose by 40 percent between 2015 and 2020."),
    (C, TIDES, "Tidal power is less predictable than wind power."),
    (C, TIDES, "Wind power is more predictable than tidal power."),
    # a quotation that is not there in one piece
    (N, TRIAL, "“The effect is weaker than we had hoped,” she said."),
    (C, TRIAL, "“The effect is larger than we had hoped,” she said."),
    (N, TRIAL, "She said “the drug reduced pain in the trial”."),
    (N, TRIAL, "“we had hoped … The effect is smaller”, she said."),
    # an addition the source does not bear out
    (P, TOWER, "The Eiffel Tower is 330 metres tall and painted brown."),
    (P, TOWER, "The Eiffel Tower is 330 metres tall and weighs 7,300 tonnes."),
    (P, TIDES, "The MeyGen array has four turbines of 1.5 MW each off the coast of Scotland."),
    (P, TRIAL, "The drug reduced pain, swelling and fever."),
    (P, SHOP, "The Pro plan costs $30 per month, includes 2 TB and offers telephone support."),
    # other words
    (P, TOWER, "The structure rises 330 metres and consists of wrought iron."),
    (P, SHOP, "Customers get their money back within 14 days, so refunds are possible."),
    (P, TRIAL, "Leopold reduced pain but did not reduce mortality in the drug trial."),
    # another matter
    (N, TOWER, "Bananas are rich in potassium."),
    (N, TIDES, "Solar cells convert light into electricity."),
    (N, SHOP, "The company was founded in 1998 by two students."),
    (N, TRIAL, "Yes."),
]


@pytest.mark.parametrize(("verdict", "cited", "sentence"), CASES, ids=[case[2] for case in CASES])
def test_case(verdict: Verdict, cited: str, sentence: str) -> None:
    judgement = judge(sentence, [cited])
    assert judgement.verdict is verdict, judgement.reasons


WORDED = st.text(st.characters(), min_size=1).filter(lambda text: bool(text.strip()))
ANY_TEXT = st.text(st.characters())


@given(WORDED)
def test_a_sentence_supports_itself(sentence: str) -> None:
    assert judge(sentence, [sentence]).verdict is Verdict.SUPPORTED


@given(WORDED, ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_a_line_of_the_source_is_supported(sentence: str, before: str, after: str, other: str) -> None:
    assert judge(sentence, [other, f"{before}\n{sentence}\n{after}"]).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(("verdict", "cited", "sentence"), CASES, ids=[case[2] for case in CASES])
def test_every_sentence_of_a_case_source_is_supported(verdict: Verdict, cited: str, sentence: str) -> None:
    assert judge(f"{cited} {sentence}", [f"{cited} {sentence}"]).verdict is Verdict.SUPPORTED


@given(WORDED, st.lists(st.sampled_from(["", " ", "\n"])))
def test_without_cited_text_it_is_uncited(sentence: str, cited: list[str]) -> None:
    assert judge(sentence, cited).verdict is Verdict.UNCITED


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3))
def test_any_text_gets_a_verdict(sentence: str, cited: list[str]) -> None:
    judgement = judge(sentence, cited)
    assert judgement.verdict in Verdict
    codes = {reason.partition(":")[0] for reason in judgement.reasons}
    assert codes <= {
        "verbatim",
        "number",
        "date",
        "negation",
        "opposite",
        "comparison",
        "quote",
        "name",
        "language",
        "missing",
    }


FUNDY = (
    "The largest tidal range on Earth is found in the Bay of Fundy in Canada, where the water rises and falls"
    " by up to 16.3 metres."
)


@pytest.mark.parametrize(
    ("sentence", "cited", "verdict", "reasons"),
    [
        ("In der Bay of Fundy steigt und fällt das Wasser um bis zu 16,3 Meter.", FUNDY, "partly", ()),
        ("Le marnage atteint 16,3 mètres dans la baie de Fundy.", FUNDY, "partly", ()),
        ("La mayor amplitud de marea está en la bahía de Fundy.", FUNDY, "partly", ()),
        ("芬迪湾的潮差达到16.3米。", FUNDY, "partly", ()),
        (
            "In der Bay of Fundy steigt und fällt das Wasser um 61 Meter.",
            FUNDY,
            "not_found",
            ("number:61 Meter",),
        ),
        ("Das Wasser steigt und fällt sehr stark.", FUNDY, "not_found", ()),
        (
            "In der Bucht ist „das Wasser der Welt am höchsten“ zu sehen.",
            FUNDY,
            "not_found",
            ("quote:das Wasser der Welt am höchsten",),
        ),
        (
            "The loaf is baked for 35 minutes at 240 degrees.",
            "Der Laib wird bei 240 Grad 35 Minuten gebacken, und das Brot ist fertig.",
            "partly",
            (),
        ),
    ],
)
def test_across_languages_numbers_dates_and_names_are_compared(
    sentence: str, cited: str, verdict: str, reasons: tuple[str, ...]
) -> None:
    judgement = judge(sentence, [cited])
    assert (judgement.verdict, judgement.reasons) == (verdict, (*reasons, "language"))


def test_words_of_the_page_itself_are_supported_in_any_language() -> None:
    quoted = "In der Bay of Fundy steigt und fällt das Wasser."
    assert judge(quoted, [f"{FUNDY} {quoted}"]).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("cited", "sentence"),
    [
        ("He denied that the plant is safe.", "The plant is safe."),
        ("About 12 million people live there.", "2 million people live there."),
        ("The value is 1.5 percent.", "5 percent."),
        ("It costs 3.50 euros.", "It costs 3."),
    ],
)
def test_a_piece_of_a_sentence_is_not_the_sentence(cited: str, sentence: str) -> None:
    assert "verbatim" not in judge(sentence, [cited]).reasons


def test_typographic_quotes_and_dashes_are_plain_ones() -> None:
    assert judge('It\'s a "well-known" fact.', ["It’s a “well‑known” fact."]).reasons == ("verbatim",)


def test_reasons_name_their_subject() -> None:
    assert judge("The Eiffel Tower is 340 metres tall.", [TOWER]).reasons == ("number:340 metres",)
    assert judge("Dr. Peter Huber led the study in Basel.", [TRIAL]).reasons == ("name:Peter Huber",)
    assert judge("Wind power is more predictable than tidal power.", [TIDES]).reasons == ("comparison:more",)


def test_facts_may_come_from_several_cited_texts() -> None:
    sentence = "The Eiffel Tower is 330 metres tall, and the Basic plan costs $12 per month."
    assert judge(sentence, [TOWER]).verdict is not Verdict.SUPPORTED
    assert judge(sentence, [TOWER, SHOP]).verdict is Verdict.SUPPORTED
