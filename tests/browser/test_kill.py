"""The browser is killed while pages are added; what was acknowledged is there afterwards, and sound.

One profile lives through all kills of a run. In each round the engine is given files that are new to it, and
after a random number of its messages it is ended in the middle of what it does: its worker alone, or every
process of the browser. Then the doctor looks through the library: list, texts, passages, vectors and
postings must agree, and hold every file that was acknowledged.
"""

import random
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from browser.engine_client import Client
from harness.browser import kill_browser, launched

pytestmark = [pytest.mark.native, pytest.mark.browser]

FILES_PER_ROUND = 3
MOST_MESSAGES = 34
LONGEST_PAUSE_S = 0.05
SUBJECTS = ("harbour", "lighthouse", "turbine", "estuary", "lagoon", "breakwater")
GIVE = """([name, text]) => URL.createObjectURL(new File([text], name, { type: "text/html" }))"""
ADDED = """heard.filter((m) => m.type === "done" && m.result?.page).map((m) => m.result.page.title)"""
# The engine's messages about the files, or all that will come.
HEARD = """([n, since, requests]) => heard.length - since >= n
    || requests.every((id) => heard.some((m) => m.re === id && m.type === "done"))"""


@pytest.mark.fault("F26")
def test_twenty_kills_lose_nothing_that_was_acknowledged(extension: Path, tmp_path: Path) -> None:
    survive(extension, tmp_path / "profile", n_browsers=4, kills_per_browser=5, seed=9)


@pytest.mark.nightly
@pytest.mark.fault("F26")
def test_two_hundred_kills_of_the_browser_lose_nothing(extension: Path, tmp_path: Path) -> None:
    survive(extension, tmp_path / "profile", n_browsers=200, kills_per_browser=1, seed=10)


def survive(extension: Path, profile: Path, *, n_browsers: int, kills_per_browser: int, seed: int) -> None:
    """The last kill of each browser ends all of it, those before its engine."""
    chance = random.Random(seed)
    acknowledged: set[str] = set()
    files = count()
    for _ in range(n_browsers):
        with launched(extension, profile) as browser:
            client = Client(browser)
            client.ensure_engine()
            for n_left in reversed(range(kills_per_browser)):
                require_sound(client, acknowledged)
                acknowledged |= added_before_a_random_moment(client, files, chance)
                if n_left:
                    client.crash_workers()
            kill_browser(profile)
    with launched(extension, profile) as browser:
        client = Client(browser)
        client.ensure_engine()
        require_sound(client, acknowledged)
    assert acknowledged


def require_sound(client: Client, acknowledged: set[str]) -> None:
    (line,) = [line for line in client.ask("doctor", check=True, test=False) if line["topic"] == "library"]
    assert line["state"] == "good", line
    assert acknowledged <= {page["title"] for page in client.ask("library")}


def added_before_a_random_moment(client: Client, files: Iterator[int], chance: random.Random) -> set[str]:
    """Give the engine new files and wait for some of its messages; return what it acknowledged."""
    since = client.page.evaluate("heard.length")
    requests = [give(client, number) for number in islice(files, FILES_PER_ROUND)]
    client.page.wait_for_function(HEARD, arg=[chance.randint(0, MOST_MESSAGES), since, requests])
    time.sleep(chance.uniform(0.0, LONGEST_PAUSE_S))
    return set(client.page.evaluate(ADDED))


def give(client: Client, number: int) -> str:
    """Give the engine a file of its own words, of a few passages."""
    subject = SUBJECTS[number % len(SUBJECTS)]
    lines = (f"<p>The {subject} number {number} was measured {n} times in {1900 + n}.</p>" for n in range(14))
    text = f"<title>{subject} {number}</title><h1>Measurements</h1>{''.join(lines)}"
    name = f"{number}.html"
    return client.send("add_file", name=name, url=client.page.evaluate(GIVE, [name, text]))
