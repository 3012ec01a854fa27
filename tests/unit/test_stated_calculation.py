"""Calculations that a question states, and questions with numbers in them that state none."""

import pytest

from tabwise.core.agent.calculator import calculate
from tabwise.core.agent.stated import stated_calculation


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is 1536 / 388: how much smaller is a vector of 384 bytes?", "3.9587628866"),
        ("What is 384 * 4 / (384 + 4)?", "3.9587628866"),
        ("How much is 15% of 1,200?", "180"),
        ("How many are 20 percent of 85?", "17"),
        ("What is 384 times 4?", "1536"),
        ("What is 91 divided by 4?", "22.75"),
        ("Add 17 and 25.", "42"),
        ("What is the sum of 120, 45 and 7?", "172"),
        ("Subtract 9.1 from 16.3.", "7.2"),
        ("What is the difference between 251 and 127 milliseconds?", "124"),
        ("Please multiply 22.7 by 4.", "90.8"),
        ("Divide 1,024 by 8.", "128"),
        ("Was ist 12 mal 7?", "84"),
        ("¿Cuánto es 12 más 7?", "19"),
        ("What is 8-3?", "5"),
        ("7 × (2 + 1)", "21"),
    ],
)
def test_what_is_stated_is_calculated(question: str, value: str) -> None:
    assert calculate(stated_calculation(question)).value == value


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Who presented BM25 in 1994, and when?",
        "What happened on 2024-05-03?",
        "What happened in 2019-2021?",
        "What happened on 3/5/2024?",
        "What do chapters 3-4 say?",
        "Does GPT-3 or GPT-4 read 2,048 tokens?",
        "Which is older, Chrome 91 or Firefox 89?",
        "A model has 384 numbers of 4 bytes each. How many bytes is a vector?",
        "Is 5 / 0 anything?",
        "Is int8/int16 the same as 8/16 bits?",
    ],
)
def test_nothing_is_guessed_from_numbers(question: str) -> None:
    assert stated_calculation(question) == ""


def test_a_long_row_of_figures_is_read_in_one_go() -> None:
    assert stated_calculation("1, 2, 3, " * 5_000) == ""
