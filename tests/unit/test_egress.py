"""The gate: what is agreed to, what is held back, what is counted; and that there is no other way out."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FakeClock, FakeSettings
from tabwise.core.network.egress import (
    Account,
    Destination,
    Total,
    account_record,
    is_remote,
    read_account,
    readable_body,
    size_bytes,
)
from tabwise.core.network.http import HttpRequest, Purpose
from tabwise.engine.egress import MAX_HELD_BACK, Gate, MemoryLedger, metered
from tabwise.errors import HostError, ProviderError

ORIGIN = "https://api.example"
THERE = Destination(ORIGIN, Purpose.ANSWER)
NOTES = "https://notes.example/plan"


def request(**changes: Any) -> HttpRequest:
    fields: dict[str, Any] = {
        "method": "POST",
        "url": f"{ORIGIN}/v1/chat",
        "purpose": Purpose.ANSWER,
        "headers": (("x-key", "secret"),),
        "body": b"{}",
    }
    return HttpRequest(**{**fields, **changes})


class Answer:
    """A response of three bytes in two pieces."""

    status = 200
    headers: Mapping[str, str] = {}

    async def chunks(self) -> AsyncIterator[bytes]:
        yield b"ab"
        yield b"c"


class FakeHttp:
    """`Http` that keeps what it was given."""

    def __init__(self) -> None:
        self.sent: list[HttpRequest] = []

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator[Answer]:
        self.sent.append(request)
        yield Answer()


class FullLedger(MemoryLedger):
    """A ledger that cannot be written."""

    async def save(self, value: object) -> None:
        raise HostError("host_failed", "no room")


class Door:
    """A gate over fakes."""

    def __init__(self, ledger: MemoryLedger | None = None, stored: object = None) -> None:
        self.http = FakeHttp()
        self.ledger = ledger or MemoryLedger()
        settings = FakeSettings(stored)
        self.gate = Gate(self.http, ledger=self.ledger, settings=settings, clock=FakeClock())

    async def send(self, **changes: Any) -> bytes:
        async with self.gate.send(request(**changes)) as response:
            return b"".join([piece async for piece in response.chunks()])

    async def refusal(self, **changes: Any) -> ProviderError:
        with pytest.raises(ProviderError) as raised:
            await self.send(**changes)
        return raised.value


@pytest.mark.fault("S4")
def test_nothing_goes_where_nobody_agreed_to() -> None:
    async def scenario() -> None:
        door = Door()
        error = await door.refusal()
        assert (error.code, error.subject, error.message) == ("egress_refused", ORIGIN, "answer")
        assert door.http.sent == []
        assert door.gate.held_back(THERE) == request()
        assert (await door.gate.account()).totals == {}

    asyncio.run(scenario())


def test_what_was_agreed_to_goes_and_is_counted() -> None:
    async def scenario() -> None:
        door = Door()
        await door.gate.agree(THERE)
        assert await door.send() == b"abc"
        total = (await door.gate.account()).totals[THERE]
        assert (total.n_requests, total.sent_bytes, total.received_bytes) == (1, size_bytes(request()), 3)
        assert door.gate.held_back(THERE) is None

    asyncio.run(scenario())


def test_the_account_outlives_the_engine() -> None:
    async def scenario() -> None:
        door = Door()
        await door.gate.agree(THERE)
        await door.send()
        later = Door(door.ledger)
        assert await later.send() == b"abc"
        assert (await later.gate.account()).totals[THERE].n_requests == 2

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "other",
    [
        {"purpose": Purpose.STORE},
        {"purpose": Purpose.SUMMARY},
        {"purpose": Purpose.DOWNLOAD},
        {"url": "https://api.example:8443/v1"},
        {"url": "http://api.example/v1"},
        {"url": "https://api.example.evil.example/v1"},
        {"url": "https://api.example@evil.example/v1"},
    ],
)
def test_agreeing_is_to_one_origin_and_one_purpose(other: dict[str, Any]) -> None:
    async def scenario() -> None:
        door = Door()
        await door.gate.agree(THERE)
        assert (await door.refusal(**other)).code == "egress_refused"
        assert door.http.sent == []

    asyncio.run(scenario())


def test_who_gets_pages_may_be_asked_how_it_is_but_not_the_other_way_round() -> None:
    async def scenario() -> None:
        door = Door()
        await door.gate.agree(THERE)
        await door.send(purpose=Purpose.CHECK)
        careful = Door()
        await careful.gate.agree(Destination(ORIGIN, Purpose.CHECK))
        await careful.refusal()

    asyncio.run(scenario())


def test_once_is_for_one_piece_of_work_however_many_requests_it_makes() -> None:
    async def scenario() -> None:
        door = Door()
        await door.gate.agree(THERE, once=True)
        with metered():
            await door.send()
            await asyncio.gather(door.send(), door.send())
        with metered():
            await door.refusal()
        assert (await door.gate.account()).agreed == set()

    asyncio.run(scenario())


def test_once_ends_with_the_work_though_a_task_of_it_goes_on() -> None:
    async def scenario() -> None:
        door, ended = Door(), asyncio.Event()
        await door.gate.agree(THERE, once=True)

        async def go_on() -> ProviderError:
            await ended.wait()
            return await door.refusal()

        with metered():
            await door.send()
            going_on = asyncio.ensure_future(go_on())
            await asyncio.sleep(0)
        ended.set()
        assert (await going_on).code == "egress_refused"

    asyncio.run(scenario())


def test_what_was_revoked_goes_no_more() -> None:
    async def scenario() -> None:
        door = Door()
        await door.gate.agree(THERE)
        await door.gate.revoke(THERE)
        await door.refusal()
        await Door(door.ledger).refusal()

    asyncio.run(scenario())


@pytest.mark.fault("S4")
def test_a_page_that_stays_here_goes_to_no_other_machine() -> None:
    async def scenario() -> None:
        door = Door(stored={"never_leaves": ["notes.example"]})
        await door.gate.agree(THERE)
        error = await door.refusal(sources=frozenset([NOTES, "https://a.example/"]))
        assert (error.code, error.subject) == ("page_stays_here", NOTES)
        local = "http://localhost:11434"
        await door.gate.agree(Destination(local, Purpose.ANSWER))
        await door.send(url=f"{local}/api/chat", sources=frozenset([NOTES]))
        assert await door.gate.kept_here([NOTES, "https://a.example/"]) == {NOTES}

    asyncio.run(scenario())


def test_bytes_are_counted_by_place_and_purpose() -> None:
    async def scenario() -> None:
        door, summaries = Door(), Destination(ORIGIN, Purpose.SUMMARY)
        for destination in (THERE, summaries):
            await door.gate.agree(destination)
        with metered() as meter:
            await door.send()
            await door.send(purpose=Purpose.SUMMARY, body=b"{} and ten more")
        for totals in (meter.totals, (await door.gate.account()).totals):
            assert totals[summaries].sent_bytes - totals[THERE].sent_bytes == len(b" and ten more")

    asyncio.run(scenario())


def test_bytes_are_counted_for_each_piece_of_work() -> None:
    async def scenario() -> None:
        door = Door()
        await door.gate.agree(THERE)

        async def work(n_requests: int) -> int:
            with metered() as meter:
                for _ in range(n_requests):
                    await door.send()
                return meter.sent_bytes

        one, three = await asyncio.gather(work(1), work(3))
        assert (one, three) == (size_bytes(request()), 3 * size_bytes(request()))

    asyncio.run(scenario())


def test_a_ledger_that_cannot_be_written_stops_no_answer_but_no_agreement_is_pretended() -> None:
    async def scenario() -> None:
        full = FullLedger()
        door = Door(full)
        with pytest.raises(HostError):
            await door.gate.agree(THERE)
        await door.refusal()
        await door.gate.agree(THERE, once=True)
        with metered():
            assert await door.send() == b"abc"

    asyncio.run(scenario())


def test_only_the_last_refusals_are_kept() -> None:
    async def scenario() -> None:
        door = Door()
        for i in range(MAX_HELD_BACK + 1):
            await door.refusal(url=f"https://host{i}.example/")
        assert door.gate.held_back(Destination("https://host0.example", Purpose.ANSWER)) is None
        assert door.gate.held_back(Destination("https://host1.example", Purpose.ANSWER)) is not None

    asyncio.run(scenario())


def test_an_address_that_is_none_goes_nowhere() -> None:
    async def scenario() -> None:
        assert (await Door().refusal(url="file:///etc/passwd")).code == "address_invalid"

    asyncio.run(scenario())


# the account

ORIGINS = st.sampled_from(["https://a.example", "http://localhost:11434", "https://b.example:8443"])
DESTINATIONS = st.builds(Destination, ORIGINS, st.sampled_from(Purpose))
ACCOUNTS = st.builds(
    Account,
    st.sets(DESTINATIONS),
    st.dictionaries(
        DESTINATIONS,
        st.builds(
            Total,
            st.integers(0, 10**6),
            st.integers(0, 10**12),
            st.integers(0, 10**12),
            st.floats(0, 2e12, allow_nan=False),
        ),
    ),
)


@given(ACCOUNTS)
def test_an_account_is_read_as_it_was_written(account: Account) -> None:
    assert read_account(json.loads(json.dumps(account_record(account)))) == account


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.sampled_from([ORIGIN, "answer"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=9,
)


@given(JSON, JSON)
def test_of_a_damaged_account_only_sound_rows_are_believed(agreed: object, totals: object) -> None:
    account = read_account({"agreed": agreed, "totals": totals})
    said = json.dumps(agreed)
    assert all(json.dumps(given.origin) in said and given.purpose in said for given in account.agreed)
    assert read_account(account_record(account)) == account


@pytest.mark.parametrize(
    ("origin", "remote"),
    [
        ("http://localhost:11434", False),
        ("http://127.0.0.1:1234", False),
        ("http://[::1]:8080", False),
        ("http://llm.localhost", False),
        ("http://192.168.1.4:8080", True),
        ("https://localhost.example.com", True),
        ("https://127.example.com", True),
        ("https://api.example", True),
    ],
)
def test_this_machine_is_no_other(origin: str, remote: bool) -> None:
    assert is_remote(origin) is remote


# the preview


@given(st.lists(st.text(min_size=1, max_size=30).map(lambda text: " ".join(text.split())), max_size=4))
def test_every_word_of_a_body_can_be_read(texts: list[str]) -> None:
    body = json.dumps({"messages": [{"content": text} for text in texts]}).encode()
    shown = readable_body(body)
    assert all(text in shown for text in texts)


def test_a_body_is_shown_with_its_line_ends() -> None:
    assert readable_body(b'{"model": "m", "messages": [{"content": "a\\nb"}]}') == (
        "model: m\nmessages:\n  content: a\n  b"
    )


def test_a_body_that_is_no_json_is_shown_as_it_is() -> None:
    assert readable_body(b"plain \xff") == "plain �"
