"""Guess the next tokens from what stands there already: answers over sources copy much of them.

Prompt lookup (Saxena 2023, https://github.com/apoorvumang/prompt-lookup-decoding): where the last tokens
stood before, in the prompt or in the text so far, what followed there is the draft. One call of the model
computes the last token and the draft; its likeliest tokens that agree with the draft are the text, and the
first that does not is the next token, as without a draft.

    … the tidal range is 16 metres in …  The tidal range is ▁    draft: 16 metres in …
"""

from collections.abc import Sequence

N_MATCHED = 2
"""Two write 1.5 tokens a call where three write 1.3 (SmolLM2 over paragraphs of XQuAD)."""
MAX_DRAFT_TOKENS = 7
"""A call of 8 tokens takes 1.6 times as long as one of 1, a call of 16 twice as long."""


class Drafter:
    """Knows where every stretch of N_MATCHED tokens stood last."""

    def __init__(self, prompt: Sequence[int]) -> None:
        self._tokens: list[int] = []
        self._behind: dict[tuple[int, ...], int] = {}
        for token in prompt:
            self.append(token)

    def append(self, token: int) -> None:
        """Take the next token of the text."""
        if len(self._tokens) >= N_MATCHED:
            self._behind[tuple(self._tokens[-N_MATCHED:])] = len(self._tokens)
        self._tokens.append(token)

    def draft(self, limit: int) -> tuple[int, ...]:
        """Return what followed the last tokens when they stood there last, at most `limit` tokens."""
        at = self._behind.get(tuple(self._tokens[-N_MATCHED:]))
        return () if at is None else tuple(self._tokens[at : at + max(limit, 0)])


def agreed(draft: Sequence[int], likeliest: Sequence[int]) -> list[int]:
    """Return the tokens to write: the draft as far as the model agrees, then its own next one.

    likeliest: the model's choice behind the token before the draft and behind each token of it, one more than
    the draft has.
    """
    n_right = 0
    while n_right < len(draft) and draft[n_right] == likeliest[n_right]:
        n_right += 1
    return [*draft[:n_right], likeliest[n_right]]
