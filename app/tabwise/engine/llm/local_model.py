"""A language model of this machine as the engine uses any other.

The session keeps what it computed of the last prompt, so a turn of a conversation costs its new part alone.
Calls that belong together hold the session's turn: two answers at a time would undo each other's cache.
"""

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from tabwise.core.chat import Completion, ModelDescriptor, Prompt, Speed
from tabwise.core.llm.drafting import MAX_DRAFT_TOKENS
from tabwise.core.llm.generation import (
    Advance,
    Generated,
    Limits,
    Response,
    Step,
    generate,
    n_shared,
    prefill,
)
from tabwise.core.llm.sampling import FloatVector
from tabwise.core.llm.template import Render, disarmed
from tabwise.core.llm.vocabulary import Vocabulary
from tabwise.engine.llm.session import Session
from tabwise.errors import ModelError
from tabwise.ports import Clock, Decoder

DRAFTING_DEVICES = ("webgpu",)
"""Where tokens are guessed ahead: int8 activations are scaled by call, so that on WebAssembly another number
of tokens in a call changes one choice in 25, and a call of 8 tokens takes longer than it saves."""
_FIXED_SEED = 20_240_601
_NO_VOCABULARY = Vocabulary(())


class LocalModel:
    """Implements ports.ScoringModel."""

    def __init__(
        self, model_id: str, session: Session, decoder: Decoder, *, render: Render, clock: Clock
    ) -> None:
        self._session = session
        self._decoder = decoder
        self._render = render
        self._clock = clock
        about = session.description
        self._descriptor = ModelDescriptor(
            id=model_id, label=about.label, context_tokens=about.context_tokens, counts_exactly=True
        )
        control = [token for text in about.control_tokens for token in decoder.encode(text)]
        self._ends = about.end_tokens | frozenset(control)

    @property
    def descriptor(self) -> ModelDescriptor:
        """The model's identity and limits."""
        return self._descriptor

    @property
    def device(self) -> str:
        """Where the model runs now."""
        return self._session.device

    def count(self, text: str) -> int:
        """Number of tokens of `text`, exactly."""
        return len(self._decoder.encode(text))

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        """Complete a prompt; see ports.LanguageModel."""
        async with self._in_turn():
            tokens = self._tokens_of(prompt)
            watch = _Watch(self._clock, on_text)
            limits = Limits(
                max_output_tokens=min(
                    prompt.max_output_tokens, self._descriptor.context_tokens - len(tokens)
                ),
                end_tokens=self._ends,
                first_token_alone=self._session.description.first_token_alone,
                stops=(*prompt.stops, *self._session.description.control_tokens),
                temperature=prompt.temperature,
                grammar=prompt.grammar,
                max_draft_tokens=MAX_DRAFT_TOKENS if self._session.device in DRAFTING_DEVICES else 0,
            )
            n_kept = n_shared(self._session.tokens, tokens)
            generated = await self._generate(tokens, limits, watch)
            return Completion(
                text=generated.text,
                finish=generated.finish,
                n_prompt_tokens=len(tokens),
                n_output_tokens=len(generated.tokens),
                speed=Speed(
                    device=self._session.device,
                    n_prefilled=len(tokens) - n_kept,
                    prefill_ms=watch.prefill_ms,
                    n_decoded=max(len(generated.tokens) - 1, 0),
                    decode_ms=watch.decode_ms,
                    first_text_ms=watch.first_text_ms,
                    memory_bytes=await (await self._session.decoder()).memory_bytes(),
                ),
            )

    async def log_likelihood(self, prompt: Prompt, text: str) -> FloatVector:
        """Return log P of each token of `text` behind the prompt; see ports.ScoringModel."""
        async with self._in_turn():
            tokens = self._tokens_of(prompt)
            target = list(self._decoder.encode(text))
            if not target:
                raise ValueError("a text without tokens")
            if len(tokens) + len(target) > self._descriptor.context_tokens:
                raise ModelError("prompt_too_long", f"{len(tokens)} + {len(target)} tokens")
            await self._prefill(tokens[:-1])
            return await self._session.score([tokens[-1], *target], len(tokens) - 1)

    async def close(self) -> None:
        """Let go of the model; the next call loads it again."""
        async with self._session.turn:
            await self._session.close()

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        async with self._session.turn:
            try:
                yield
            finally:
                self._session.rest()

    def _tokens_of(self, prompt: Prompt) -> list[int]:
        control = self._session.description.control_tokens
        tokens = list(self._decoder.encode(self._render(disarmed(prompt, control))))
        if len(tokens) >= self._descriptor.context_tokens:
            raise ModelError("prompt_too_long", f"{len(tokens)} of {self._descriptor.context_tokens} tokens")
        return tokens

    async def _prefill(self, tokens: Sequence[int]) -> None:
        first_alone = self._session.description.first_token_alone
        past = min(n_shared(self._session.tokens, [*tokens, -1]), len(tokens))
        for piece in prefill(tokens, past, first_alone=first_alone):
            await self._session.advance(piece.tokens, piece.past)

    async def _generate(self, tokens: Sequence[int], limits: Limits, watch: "_Watch") -> Generated:
        await self._session.decoder()
        run = generate(
            tokens,
            self._session.tokens,
            limits,
            vocabulary=self._decoder.vocabulary() if limits.grammar else _NO_VOCABULARY,
            decode=self._decoder.decode,
            on_text=watch.text,
            chance=random.Random(_FIXED_SEED),
        )
        answer: Response = None
        while True:
            try:
                request = run.send(answer)
            except StopIteration as end:
                generated: Generated = end.value
                return generated
            if isinstance(request, Advance):
                await self._session.advance(request.tokens, request.past)
                answer = None
            elif isinstance(request, Step):
                answer = await self._session.top(
                    request.tokens, request.past, k=request.k, allow=request.allow
                )
            else:
                answer = await self._session.verify(request.tokens, request.past)
            watch.computed(is_step=answer is not None)


class _Watch:
    """Times the parts of one run. The first step belongs to the prompt: it computes its last tokens."""

    def __init__(self, clock: Clock, on_text: Callable[[str], None]) -> None:
        self._clock = clock
        self._on_text = on_text
        self._started = clock.monotonic_ms()
        self._first_step: float | None = None
        self._last_step = self._started
        self.first_text_ms = 0.0

    def computed(self, *, is_step: bool) -> None:
        """A request was answered."""
        self._last_step = self._clock.monotonic_ms()
        if is_step and self._first_step is None:
            self._first_step = self._last_step

    def text(self, piece: str) -> None:
        """Hand on a piece of the text."""
        if not self.first_text_ms:
            self.first_text_ms = self._clock.monotonic_ms() - self._started
        self._on_text(piece)

    @property
    def prefill_ms(self) -> float:
        """From the start to the first token."""
        return (self._first_step or self._started) - self._started

    @property
    def decode_ms(self) -> float:
        """From the first token to the last."""
        return self._last_step - (self._first_step or self._last_step)
