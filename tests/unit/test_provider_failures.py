"""What services say when they refuse, word for word (tests/golden/refusals), and what is made of it."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tabwise.adapters.providers.failures import MAX_MESSAGE_CHARS, Answer, Asked, Wait, Without, judge
from tabwise.adapters.providers.openai_chat import OpenAiChat
from tabwise.errors import AppError, ModelError

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
EXTENSION = "chrome-extension://abcdefghijklmnop"
REFUSALS = json.loads((Path(__file__).parents[1] / "golden/refusals/refusals.json").read_text("utf-8"))


def asked(
    kind: str = "openai",
    *,
    has_key: bool = True,
    is_fixed: bool = True,
    optional: Mapping[str, tuple[str, ...]] = OpenAiChat.optional,
) -> Asked:
    url = "https://api.example/v1/chat/completions"
    return Asked(url, kind, "m-1", has_key, is_fixed, optional, EXTENSION)


def verdict_of(refusal: Mapping[str, Any]) -> AppError | Wait | Without:
    body = refusal["body"]
    text = body if isinstance(body, str) else json.dumps(body)
    about = asked(
        refusal.get("kind", "openai"),
        has_key=refusal.get("has_key", True),
        is_fixed=refusal.get("is_fixed", True),
    )
    return judge(Answer(refusal["status"], refusal.get("headers", {}), text), about, now=NOW)


def with_key(name: str) -> list[Any]:
    return [pytest.param(refusal, id=refusal["of"]) for refusal in REFUSALS if name in refusal]


@pytest.mark.parametrize("refusal", with_key("error"))
def test_the_cause_is_named(refusal: Mapping[str, Any]) -> None:
    found = verdict_of(refusal)
    assert isinstance(found, AppError)
    assert found.code == refusal["error"]


@pytest.mark.parametrize("refusal", with_key("wait_s"))
def test_it_is_waited_as_long_as_the_service_says(refusal: Mapping[str, Any]) -> None:
    found = verdict_of(refusal)
    assert isinstance(found, Wait)
    assert found.seconds == pytest.approx(refusal["wait_s"])
    assert found.error.code == ("rate_limited" if refusal["status"] == 429 else "service_failed")


@pytest.mark.parametrize("refusal", with_key("without"))
def test_a_refused_parameter_is_left_out(refusal: Mapping[str, Any]) -> None:
    assert verdict_of(refusal) == Without(refusal["without"])


def test_every_refusal_says_one_thing() -> None:
    assert all(len({"error", "wait_s", "without"} & set(refusal)) == 1 for refusal in REFUSALS)


def error_of(status: int, text: str, about: Asked) -> AppError:
    found = judge(Answer(status, {}, text), about, now=NOW)
    assert isinstance(found, AppError)
    return found


def test_a_parameter_that_was_not_sent_is_not_the_cause() -> None:
    text = '{"error":{"message":"temperature must be below 2"}}'
    assert error_of(400, text, asked(optional={})).code == "request_refused"


def test_an_ollama_that_does_not_know_us_is_told_our_exact_origin() -> None:
    assert error_of(403, "", asked("ollama", has_key=False)).subject == EXTENSION


def test_the_subject_is_the_origin_without_path_or_query() -> None:
    assert error_of(401, "{}", asked()).subject == "https://api.example"


def test_what_is_too_long_is_an_error_of_the_model() -> None:
    assert isinstance(error_of(413, "{}", asked()), ModelError)


def test_the_words_of_the_service_are_kept_and_bounded() -> None:
    message = error_of(400, json.dumps({"error": {"message": "no " * 500}}), asked()).message
    assert message.startswith("status 400: no no")
    assert len(message) <= MAX_MESSAGE_CHARS + len("status 400: ")
