"""A question that belongs to a thread is written down when it is asked, as it is answered, and when it ends.

Whatever dies in between leaves a turn with the sentences that were there. A question without a history gets
that of its thread.
"""

import asyncio
import json
from dataclasses import dataclass, replace
from typing import Any

from tabwise.core.text.bounded_json import read_json
from tabwise.core.threads import ThreadId, ThreadTurn, TurnId, TurnState, path_to, title_of
from tabwise.engine.receipts import Receipts
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.errors import AppError, InputError
from tabwise.ports import Clock, ThreadStore

MAX_HISTORY_TURNS = 12
SAVE_EVERY_MS = 250.0
"""A turn that grows is written no more often than this."""


@dataclass(frozen=True, slots=True)
class Recorder:
    """Runs questions and keeps what comes of them. `max_threads`: more unpinned ones make the oldest go."""

    threads: ThreadStore
    receipts: Receipts
    clock: Clock
    max_threads: int

    async def run(self, request: Request, reply: Reply, handler: Handler) -> Any:
        """Answer a request and keep it; raises what the handler raises, StoreError."""
        turns = self.threads.load_turns(ThreadId(request["thread"]))
        path = path_to(turns, request["parent"])
        if request["parent"] and not path:
            raise InputError("turn_unknown", subject=request["parent"])
        if "history" in request and not request["history"]:
            request = request | {"history": _history(path)}
        recording = _Recording(self, request)
        recording.begin()
        self._make_room(ThreadId(request["thread"]), reply)
        try:
            result = await handler(request, reply.heard_by(recording.hear))
        except asyncio.CancelledError:
            recording.end(TurnState.STOPPED)
            raise
        except AppError as error:
            recording.end(TurnState.FAILED, error=error.code)
            raise
        except Exception:
            recording.end(TurnState.FAILED, error="internal")
            raise
        recording.done(result)
        return result

    def _make_room(self, current: ThreadId, reply: Reply) -> None:
        loose = [head for head in self.threads.load_threads() if not head.is_pinned and head.id != current]
        extra = loose[max(self.max_threads - 1, 0) :]
        if extra:
            self.threads.remove([head.id for head in extra])
            reply.send("threads_dropped", titles=[head.title for head in extra])


class _Recording:
    """One turn as it grows."""

    def __init__(self, recorder: Recorder, request: Request) -> None:
        self._recorder = recorder
        self._thread = ThreadId(request["thread"])
        self._sentences: dict[int, dict[str, Any]] = {}
        self._citations: dict[int, dict[str, Any]] = {}
        self._saved_at = 0.0
        asked = {name: value for name, value in request.items() if name not in ("v", "id", "history")}
        self._turn = ThreadTurn(
            id=TurnId(request["id"]),
            parent=request["parent"],
            question=request["question"],
            state=TurnState.RUNNING,
            asked_at=recorder.clock.now_ms(),
            request=json.dumps(asked),
        )

    def begin(self) -> None:
        """Write the question down."""
        self._recorder.threads.put_turn(
            self._thread, self._turn, title=title_of(self._turn.question), now_ms=self._turn.asked_at
        )

    def hear(self, kind: str, fields: dict[str, Any]) -> None:
        """Take note of an event that goes to the panel."""
        if kind != "sentence":
            return
        self._sentences[fields["index"]] = fields["sentence"]
        self._citations |= {citation["number"]: citation for citation in fields["citations"]}
        if self._recorder.clock.monotonic_ms() - self._saved_at >= SAVE_EVERY_MS:
            self._save(self._partial())

    def end(self, state: TurnState, *, error: str = "") -> None:
        """Write down what there is of an answer that was cut short."""
        self._save(replace(self._partial(), state=state, error=error))

    def done(self, result: Any) -> None:
        """Write the whole answer down."""
        answers = [answer for answer in _answers(result) if answer]
        answer_id = answers[0]["id"] if len(answers) == 1 else ""
        receipt = self._recorder.receipts.text(answer_id)
        self._save(
            replace(
                self._turn,
                state=TurnState.DONE,
                answer=json.dumps(result),
                plain=" ".join(sentence["text"] for answer in answers for sentence in answer["sentences"]),
                receipt=receipt,
                answer_id=answer_id if receipt else "",
            )
        )

    def _partial(self) -> ThreadTurn:
        sentences = [self._sentences[index] for index in sorted(self._sentences)]
        if not sentences:
            return self._turn
        answer = {"sentences": sentences, "citations": list(self._citations.values())}
        plain = " ".join(sentence["text"] for sentence in sentences)
        return replace(self._turn, answer=json.dumps(answer), plain=plain)

    def _save(self, turn: ThreadTurn) -> None:
        self._recorder.threads.update_turn(turn)
        self._saved_at = self._recorder.clock.monotonic_ms()


def _answers(result: Any) -> list[dict[str, Any] | None]:
    """The Answer records in what `ask`, `research` or `ask_each` ended with."""
    if isinstance(result, list):
        return [page["answer"] for page in result]
    return [result.get("answer", result)]


def _history(path: tuple[ThreadTurn, ...]) -> list[dict[str, Any]]:
    told = [turn for turn in path if turn.plain]
    return [
        {"question": turn.question, "answer": turn.plain, "sources": _sources(turn)}
        for turn in told[-MAX_HISTORY_TURNS:]
    ]


def _sources(turn: ThreadTurn) -> list[str]:
    """The pages that an answer cites."""
    answers = [answer for answer in _answers(read_json(turn.answer)) if answer]
    return sorted({citation["source"] for answer in answers for citation in answer["citations"]})
