"""No bytes from outside break the program: kept inputs, thousands of mutations, and a guided search.

Fast: each kept input and a few hundred mutations of sound ones. Nightly: 12,000 mutated pages, as files
and as trees, and 3,000 of everything else, and half a minute of coverage-guided search for each target. What
breaks a target goes into `tests/fuzz/inputs/<target>/`, and from then on it is a test.
"""

import importlib.util
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.native

from fuzz.seeds import mutated, seeds_of  # noqa: E402
from fuzz.targets import TARGETS  # noqa: E402

GUIDED = Path(__file__).with_name("guided.py")
N_FAST = 60
N_NIGHTLY = {"html": 12_000, "capture": 12_000}
N_NIGHTLY_EACH = 3_000
GUIDED_S = 30
FOR_EVER_S = 60


@pytest.mark.parametrize("target", TARGETS)
def test_sound_and_kept_inputs(target: str) -> None:
    for data in seeds_of(target):
        TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
def test_mutations(target: str) -> None:
    mutate(target, N_FAST, seed=1)


@pytest.mark.nightly
@pytest.mark.parametrize("target", TARGETS)
def test_many_mutations(target: str) -> None:
    mutate(target, N_NIGHTLY.get(target, N_NIGHTLY_EACH), seed=2)


@pytest.mark.nightly
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="no guided fuzzer for this Python")
@pytest.mark.parametrize("target", TARGETS)
def test_guided_search(target: str, tmp_path: Path) -> None:
    command = [sys.executable, str(GUIDED), target, "--seconds", str(GUIDED_S), "--folder", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3_000:]


def mutate(target: str, n: int, *, seed: int) -> None:
    chance = random.Random(seed)
    seeds = seeds_of(target)
    for _ in range(n):
        data = mutated(chance.choice(seeds), chance)
        try:
            with ends():
                TARGETS[target](data)
        except Exception as error:
            raise AssertionError(f"{target} breaks on {data!r}") from error


@contextmanager
def ends() -> Iterator[None]:
    """Raise TimeoutError for what would go on for ever."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"no end after {FOR_EVER_S} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(FOR_EVER_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
