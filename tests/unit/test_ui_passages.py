"""Going from a citation to its passage, with the other passages of the page, and what happens without one."""

import pytest

from ui_driver import Driver, answer, citation, page, sentence

A = "https://a.example/"
B = "https://b.example/"


@pytest.fixture
def driver() -> Driver:
    return Driver().ready(page(A, "Alpha"), page(B, "Beta"))


def test_a_passage_is_shown_with_the_others_of_its_page(driver: Driver) -> None:
    cited = (citation(1, A, "One."), citation(2, B), citation(3, A, "Three."))
    driver.done(driver.ask(), answer(sentence(numbers=(1, 2, 3)), citations=cited))
    driver.press("chip", 2)
    shown = driver.last("show")
    assert (shown["citation"], shown["others"]) == (cited[2], [cited[0]])
