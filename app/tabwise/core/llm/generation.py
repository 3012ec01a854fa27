"""One completion as a conversation with a session: what to compute next, and what came back.

`generate` is a generator without I/O. It yields `Advance` (fill the cache), `Step` (fill it and give the
likeliest next tokens) and `Verify` (fill it and give the likeliest token behind each); to a `Step` it is sent
`TopTokens`, to a `Verify` token numbers. Between two yields a run can be cancelled, so a prompt is fed in
pieces of 128 tokens: 64 to 1,000 take the same time within 15 %.

The cache of a session is a stretch of tokens from the first on. `past` says after how many of them to go on;
what stood behind is overwritten, so a prompt that begins like the last one is not computed anew.
"""

import random
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabwise.core.chat import Finish
from tabwise.core.grammar import Grammar, Matcher
from tabwise.core.llm.drafting import Drafter, agreed
from tabwise.core.llm.endings import TextGuard, loop_period, without_loop
from tabwise.core.llm.sampling import N_LIKELIEST, IntVector, TopTokens, choose
from tabwise.core.llm.vocabulary import Vocabulary

PREFILL_TOKENS = 128


@dataclass(frozen=True, slots=True)
class Advance:
    """Compute `tokens` behind the first `past` ones."""

    tokens: tuple[int, ...]
    past: int


@dataclass(frozen=True, slots=True)
class Step:
    """The same, then give the k likeliest next tokens, of `allow` alone if given."""

    tokens: tuple[int, ...]
    past: int
    k: int
    allow: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Verify:
    """Compute the last token and a draft behind `past` ones, then give the likeliest token behind each."""

    tokens: tuple[int, ...]
    past: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends and bounds a run; `first_token_alone` as the model's description says.

    max_draft_tokens: how many tokens are guessed for one call; they need a temperature of 0 and no grammar.
    """

    max_output_tokens: int
    end_tokens: frozenset[int]
    first_token_alone: bool
    stops: tuple[str, ...] = ()
    temperature: float = 0.0
    grammar: Grammar | None = None
    max_draft_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Generated:
    """What was written: the text without what followed a stop or a loop, and all tokens in order."""

    text: str
    finish: Finish
    tokens: tuple[int, ...]


Response = TopTokens | IntVector | None
Requests = Generator[Advance | Step | Verify, Response, Generated]


def n_shared(cached: Sequence[int], tokens: Sequence[int]) -> int:
    """How many first tokens are the same; less than all of `tokens`, one is always left to compute."""
    n = 0
    for ours, theirs in zip(cached, tokens[:-1], strict=False):
        if ours != theirs:
            break
        n += 1
    return n


def prefill(tokens: Sequence[int], past: int, *, first_alone: bool) -> list[Advance]:
    """The pieces in which `tokens[past:]` are fed."""
    pieces, at = [], past
    while at < len(tokens):
        end = 1 if first_alone and at == 0 else min(at + PREFILL_TOKENS, len(tokens))
        pieces.append(Advance(tuple(tokens[at:end]), at))
        at = end
    return pieces


def generate(
    prompt: Sequence[int],
    cached: Sequence[int],
    limits: Limits,
    *,
    vocabulary: Vocabulary,
    decode: Callable[[Sequence[int]], str],
    on_text: Callable[[str], None],
    chance: random.Random,
) -> Requests:
    """Complete `prompt`; `cached` are the tokens that the session holds. See the module."""
    *pieces, last = prefill(prompt, n_shared(cached, prompt), first_alone=limits.first_token_alone)
    yield from pieces
    picker = _Picker(limits, vocabulary, chance)
    text = _Text(limits, decode, on_text)
    is_drafted = limits.max_draft_tokens > 0 and limits.temperature <= 0 and limits.grammar is None
    drafter = Drafter(prompt) if is_drafted else None
    fed, past = last.tokens, last.past
    draft: tuple[int, ...] = ()
    while True:
        tokens: list[int | None]
        if draft:
            tokens = [*agreed(draft, _numbers((yield Verify((*fed, *draft), past))))]
        else:
            tokens = [(yield from picker.pick(fed, past))]
        past += len(fed) + len(tokens) - 1
        for token in tokens:
            if token is None or token in limits.end_tokens:
                return text.ended(Finish.STOP)
            generated = text.take(token)
            if generated is not None:
                return generated
            fed = (token,)
            if drafter is not None:
                drafter.append(token)
        if drafter is not None:
            draft = drafter.draft(min(limits.max_draft_tokens, text.n_left - 1))


class _Text:
    """What was written so far, and where it ends."""

    def __init__(
        self, limits: Limits, decode: Callable[[Sequence[int]], str], on_text: Callable[[str], None]
    ) -> None:
        self._limits = limits
        self._decode = decode
        self._on_text = on_text
        self._guard = TextGuard(limits.stops)
        self._written: list[int] = []

    @property
    def n_left(self) -> int:
        """How many tokens may still be written."""
        return self._limits.max_output_tokens - len(self._written)

    def take(self, token: int) -> Generated | None:
        """Write a token; return the whole when it is the last one."""
        self._written.append(token)
        piece = self._guard.grow(self._decode(self._written))
        if piece:
            self._on_text(piece)
        if self._guard.is_over:
            return self._generated(Finish.STOP)
        period = 0 if self._limits.grammar else loop_period(self._written)
        if period:
            self._guard.finish(self._decode(without_loop(self._written, period)))
            return self._generated(Finish.LENGTH)
        return self.ended(Finish.LENGTH) if self.n_left == 0 else None

    def ended(self, finish: Finish) -> Generated:
        """Show the rest, and return the whole."""
        rest = self._guard.finish(self._decode(self._written) if self._written else "")
        if rest:
            self._on_text(rest)
        return self._generated(finish)

    def _generated(self, finish: Finish) -> Generated:
        return Generated(self._guard.text, finish, tuple(self._written))


class _Picker:
    """Picks one token after the other, within the grammar if there is one."""

    def __init__(self, limits: Limits, vocabulary: Vocabulary, chance: random.Random) -> None:
        self._limits = limits
        self._vocabulary = vocabulary
        self._chance = chance
        self._matcher = None if limits.grammar is None else Matcher(limits.grammar)
        # Who is asked for one alone may begin with it before it comes back.
        self._n_wanted = 1 if limits.temperature <= 0 and limits.grammar is None else N_LIKELIEST

    def pick(self, fed: tuple[int, ...], past: int) -> Generator[Step, Response, int | None]:
        """Feed tokens and return the next one, None where the text ends."""
        top = _received((yield Step(fed, past, self._n_wanted)))
        among = self._fitting(top)
        if not among and self._matcher is not None:
            again, before = fed[-1:], past + len(fed) - 1
            top = _received((yield Step(again, before, N_LIKELIEST, self._allowed(self._matcher))))
            among = self._fitting(top)
        if not among:
            return None
        token = choose(top, among, temperature=self._limits.temperature, chance=self._chance)
        if token in self._limits.end_tokens:
            return None
        if self._matcher is not None:
            self._matcher = self._matcher.advance(self._vocabulary.text(token))
        return token

    def _fitting(self, top: TopTokens) -> list[int]:
        """Rows of the tokens that may come next, likeliest first."""
        matcher, ends, found = self._matcher, self._limits.end_tokens, []
        if matcher is None:
            return list(range(len(top.tokens)))
        for row, token in enumerate(top.tokens.tolist()):
            if matcher.is_complete if token in ends else self._vocabulary.fits(matcher, token):
                found.append(row)
                if self._limits.temperature <= 0:
                    break
        return found

    def _allowed(self, matcher: Matcher) -> tuple[int, ...]:
        ends = sorted(self._limits.end_tokens) if matcher.is_complete else []
        return (*self._vocabulary.allowed(matcher), *ends)


def _received(answer: Response) -> TopTokens:
    if not isinstance(answer, TopTokens):
        raise TypeError("a step is answered with the likeliest tokens")
    return answer


def _numbers(answer: Response) -> list[int]:
    if not isinstance(answer, np.ndarray):
        raise TypeError("a draft is answered with token numbers")
    return [int(token) for token in answer]


def log_probabilities(logits: npt.NDArray[np.float32], targets: Sequence[int]) -> npt.NDArray[np.float32]:
    """log softmax of rows (n, v) at one token each (n,); computed in float64."""
    rows = logits.astype(np.float64)
    rows -= rows.max(axis=1, keepdims=True)
    chosen = rows[np.arange(len(targets)), np.asarray(targets, np.int64)]
    return np.asarray(chosen - np.log(np.exp(rows).sum(axis=1)), np.float32)
