"""Why a service refused, and whether asking again can help.

Services agree on status codes and on little else. A 429 alone is one of three things: too fast (wait as
long as it says), a day's or an account's limit (asking again makes it worse), or one request larger than a
minute's allowance (shorten it). What is looked at: the status, the machine-readable code, then the words.

    status  says                                              becomes
    429     Retry-After: 2                                    Wait(2.0)
    429     … tokens per day (TPD): Limit 100000, Used …      quota_used
    413     … Limit 6000, Requested 6294 …                    prompt_too_long
    400     Unsupported parameter: 'temperature' …            Without("temperature")
    200     <!doctype html>                                   network_portal, or service_foreign
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from tabwise.adapters.providers.wire import Json, record, records, text_of, whole
from tabwise.core.network.http import origin_of
from tabwise.core.text.bounded_json import read_json
from tabwise.errors import AppError, ModelError, ProviderError

MAX_WAIT_S = 30.0
"""A longer wait is left to the reader."""
DEFAULT_WAIT_S = 2.0
"""When a service says "too fast" without how long."""
MAX_MESSAGE_CHARS = 300

_PER_DAY = re.compile(r"per[ _-]?day|\b(?:tpd|rpd)\b|daily", re.IGNORECASE)
_USED_UP = re.compile(
    r"insufficient_quota|billing_(?:hard_limit|not_active)|credit balance|exceeded_current_quota",
    re.IGNORECASE,
)
_LIMIT_AND_REQUESTED = re.compile(
    r"limit:? ~?([\d,]+).{0,80}?requested:? ~?([\d,]+)", re.IGNORECASE | re.DOTALL
)
_AGAIN_IN = re.compile(
    r"(?:again in|retry in|retrydelay\W+) ?(?:(?P<h>\d+)h)?(?:(?P<m>\d+)m(?!s))?"
    r"(?:(?P<s>\d+(?:\.\d+)?)s)?(?:(?P<ms>\d+(?:\.\d+)?)ms)?",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size)|maximum context|too many tokens|input token count"
    r"|prompt (?:is )?too long|request too large|exceeds? the (?:maximum|available)"
    r"|reduce (?:the|your) (?:length|message|prompt)",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model[^.]{0,120}(?:not found|not exist|decommissioned|not supported for|deprecated|unavailable)"
    r"|(?:no such|unknown|invalid|unsupported) model|model_not_found|model_decommissioned"
    r"|deployment[^.]{0,60}not exist|deploymentnotfound",
    re.IGNORECASE,
)
_BAD_KEY = re.compile(
    r"api[ _-]?key|unauthori[sz]ed|authentication|credential|permission_denied", re.IGNORECASE
)
_BUSY = (408, 409, 425, 500, 502, 503, 504, 520, 522, 524, 529)
_PORTAL = 511


@dataclass(frozen=True, slots=True)
class Answer:
    """What a service answered instead of what it was asked for."""

    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Ask again after so long; `error` is what it is when there is no more time."""

    seconds: float
    error: AppError


@dataclass(frozen=True, slots=True)
class Without:
    """Ask again without this parameter."""

    parameter: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a judgement must know of the request. `optional`: parameters it sent and could do without."""

    url: str
    kind: str
    model: str
    has_key: bool
    is_fixed: bool
    optional: Mapping[str, Sequence[str]]
    own_origin: str = ""


def judge(answer: Answer, asked: Asked, *, now: datetime | None = None) -> AppError | Wait | Without:
    """Say what an answer that is no answer means.

    Errors: network_portal, service_foreign, key_missing, key_refused, origin_refused (subject: our own
    origin), model_unknown (subject: the model), prompt_too_long, quota_used, rate_limited, service_failed,
    request_refused; the subject of the others is the origin. Their message holds the service's own words.
    """
    return _Judgement(answer, asked, now or datetime.now(UTC)).verdict()


def said_by(value: object) -> str:
    """The words of a service's error, whichever of the usual places they stand in; "" for none."""
    if isinstance(value, list):
        return said_by(value[0]) if value else ""
    if isinstance(value, str):
        return value
    told = record(value)
    for name in ("error", "message", "detail", "errors", "msg"):
        if told.get(name):
            return said_by(told[name])
    return ""


class _Judgement:
    """One answer under judgement."""

    def __init__(self, answer: Answer, asked: Asked, now: datetime) -> None:
        self._status = answer.status
        self._headers = answer.headers
        self._text = answer.text.lstrip("\ufeff \t\r\n")
        self._asked = asked
        self._now = now
        self._value = _parsed(self._text)
        self._said = said_by(self._value) or ("" if self._is_page else self._text)

    def verdict(self) -> AppError | Wait | Without:
        status = self._status
        if status == _PORTAL or 300 <= status < 400 or (self._is_page and status not in _BUSY):
            is_portal = self._asked.is_fixed or status == _PORTAL
            return self._error("network_portal" if is_portal else "service_foreign")
        if status == 413 or self._is_too_long():
            return self._error("prompt_too_long")
        if status == 429:
            return self._limited()
        if status in _BUSY:
            return Wait(self._wait_s() or DEFAULT_WAIT_S, self._error("service_failed"))
        if status == 402:
            return self._error("quota_used")
        if status in (401, 403) or self._is_about_the_key():
            return self._not_allowed()
        if _NO_MODEL.search(self._said) or _NO_MODEL.search(self._code):
            return self._error("model_unknown", self._asked.model)
        refused = self._refused_parameter()
        if refused:
            return Without(refused)
        if status in (404, 405):
            return self._error("service_foreign")
        if 200 <= status < 300:
            return self._error("service_failed" if isinstance(self._value, dict) else "service_foreign")
        return self._error("request_refused")

    @property
    def _is_page(self) -> bool:
        is_html = "text/html" in self._headers.get("content-type", "")
        return self._text.startswith("<") or (is_html and self._text != "")

    @property
    def _code(self) -> str:
        """The machine-readable parts of the error, joined."""
        error = record(record(self._value).get("error"))
        parts = [str(error.get(name, "")) for name in ("code", "type", "status")]
        details = [text_of(item.get("reason")) for item in records(error.get("details"))]
        return " ".join(parts + details)

    def _is_too_long(self) -> bool:
        if "context_length" in self._code or "exceed_context_size" in self._code:
            return True
        asked_for = _LIMIT_AND_REQUESTED.search(self._said)
        if asked_for and self._status in (413, 429):
            return _number(asked_for[2]) > _number(asked_for[1])
        return self._status in (200, 400, 422, 500) and _TOO_LONG.search(self._said) is not None

    def _limited(self) -> AppError | Wait:
        everything = f"{self._code} {self._text}"
        if _PER_DAY.search(everything) or _USED_UP.search(everything):
            return self._error("quota_used")
        wait_s = self._wait_s()
        error = self._error("rate_limited")
        if wait_s is not None and wait_s > MAX_WAIT_S:
            return error
        return Wait(DEFAULT_WAIT_S if wait_s is None else wait_s, error)

    def _wait_s(self) -> float | None:
        milliseconds = _float(self._headers.get("retry-after-ms", ""))
        if milliseconds is not None:
            return milliseconds / 1000
        header = self._headers.get("retry-after", "")
        seconds = _float(header)
        if seconds is not None:
            return seconds
        if header:
            return self._until(header)
        told = _AGAIN_IN.search(self._text)
        if told is None or not any(told.groups()):
            return None
        hours, minutes, rest, thousandths = (float(told[name] or 0) for name in ("h", "m", "s", "ms"))
        return hours * 3600 + minutes * 60 + rest + thousandths / 1000

    def _until(self, date: str) -> float | None:
        try:
            return max(0.0, (parsedate_to_datetime(date) - self._now).total_seconds())
        except (ValueError, TypeError):
            return None

    def _is_about_the_key(self) -> bool:
        return self._status == 400 and ("API_KEY_INVALID" in self._code or "invalid_api_key" in self._code)

    def _not_allowed(self) -> AppError:
        if self._asked.kind == "ollama" and self._status == 403:
            return self._error("origin_refused", self._asked.own_origin)
        if not self._asked.has_key:
            return self._error("key_missing")
        if self._status == 403 and _NO_MODEL.search(self._said):
            return self._error("model_unknown", self._asked.model)
        if self._status == 403 and self._said and not _BAD_KEY.search(f"{self._said} {self._code}"):
            return self._error("request_refused")
        return self._error("key_refused")

    def _refused_parameter(self) -> str:
        """The optional parameter that the refusal names: in its own field, else first in its words."""
        if self._status not in (400, 422):
            return ""
        error = record(record(self._value).get("error"))
        named = text_of(error.get("param"))
        if named in self._asked.optional:
            return named
        text = self._text.lower()
        places = [
            (place, name)
            for name, words in self._asked.optional.items()
            for word in words
            if (place := text.find(word.lower())) >= 0
        ]
        return min(places)[1] if places else ""

    def _error(self, code: str, subject: str = "") -> AppError:
        said = " ".join(self._said.split())[:MAX_MESSAGE_CHARS]
        message = f"status {self._status}: {said}" if said else f"status {self._status}"
        kind = ModelError if code == "prompt_too_long" else ProviderError
        return kind(code, message, subject=subject or origin_of(self._asked.url))


def status_of(value: Json) -> int:
    """The status that an error object in a stream names, 200 when it names none."""
    error = record(value.get("error"))
    for name in ("code", "status", "status_code"):
        status = whole(error.get(name))
        if status and 400 <= status < 600:
            return status
    if error.get("code") == "rate_limit_exceeded":
        return 429
    return 200


def _parsed(text: str) -> Any:
    try:
        return read_json(text)
    except (ValueError, RecursionError):
        return None


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _float(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None
