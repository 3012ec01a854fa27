"""Server-sent events: the same events however the bytes are cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.network import sse
from tabwise.core.network.sse import LineDecoder, LineTooLong, SseDecoder, SseEvent


def events_of(pieces: list[bytes]) -> list[SseEvent]:
    decoder = SseDecoder()
    return [event for piece in pieces for event in decoder.feed(piece)] + decoder.close()


def message(data: str) -> SseEvent:
    return SseEvent("message", data)


STREAM = (
    b"\xef\xbb\xbf: comment first\r\n\r\n"
    + 'data: {"text":"Grüße 🌊 日本"}\r\n\r\n'.encode()
    + b"event: error\ndata: one\ndata: two\n\n"
    + b"id: 7\rretry: 10\rdata:no space\r\r"
    + b":\n\ndata\n\ndata:  two spaces\n\ndata: [DONE]"
)
EVENTS = [
    message('{"text":"Grüße 🌊 日本"}'),
    SseEvent("error", "one\ntwo"),
    message("no space"),
    message(""),
    message(" two spaces"),
    message("[DONE]"),
]


@pytest.mark.parametrize("at", range(len(STREAM) + 1))
@pytest.mark.fault("F49")
def test_a_stream_cut_at_any_byte_gives_the_same_events(at: int) -> None:
    assert events_of([STREAM[:at], STREAM[at:]]) == EVENTS


def test_a_stream_byte_by_byte_gives_the_same_events() -> None:
    assert events_of([STREAM[i : i + 1] for i in range(len(STREAM))]) == EVENTS


LINES = st.text(alphabet=st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@given(st.lists(st.tuples(LINES, ENDS), max_size=12), st.data())
@pytest.mark.fault("F49")
def test_every_split_of_any_stream_gives_the_same_events(
    lines: list[tuple[str, str]], data: st.DataObject
) -> None:
    stream = "".join(f"data:{line}{end}{end}" for line, end in lines).encode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=6)))
    edges = [0, *cuts, len(stream)]
    pieces = [stream[start:stop] for start, stop in pairwise(edges)]
    assert events_of(pieces) == events_of([stream])
    assert [event.data for event in events_of([stream])] == [line.removeprefix(" ") for line, _ in lines]


@given(st.binary(max_size=80), st.integers(1, 7))
def test_bytes_that_are_no_text_are_read_the_same_in_any_pieces(junk: bytes, size: int) -> None:
    pieces = [junk[i : i + size] for i in range(0, len(junk), size)]
    assert events_of(pieces) == events_of([junk])


def test_lines_of_json_may_end_without_a_line_end() -> None:
    decoder = LineDecoder()
    assert decoder.feed(b'{"a":1}\n{"b"') == ['{"a":1}']
    assert decoder.feed(b":2}") == []
    assert decoder.close() == ['{"b":2}']


@pytest.mark.fault("F50")
def test_a_line_without_end_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MAX_LINE_BYTES", 100)
    decoder = LineDecoder()
    with pytest.raises(LineTooLong):
        decoder.feed(b"x" * 101)
