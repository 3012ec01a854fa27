"""How well a text answers a question, by how easily a small model comes from the text to the question.

    gain(text) = mean log P(question | text, "write a question that it answers")
               - mean log P(question | "write a question")

Query likelihood (Ponte & Croft 1998, https://doi.org/10.1145/290941.291008) with a language model in place
of the text's own word counts. Models that are far too small to answer, or to say whether a text answers, can
tell which of a few texts a question was asked about: the difference in nats per token is above 1.5 for the
right one of a dozen unlike passages and below for all others, though not for questions in other words.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tabwise.core.chat import Message, Prompt, Role

ASK_ABOUT = "Write a question that the text above answers."
ASK_ANYTHING = "Write a question."


def about(text: str) -> Prompt:
    """The prompt that a question follows when it is asked about a text."""
    return _prompt(f"{text.strip()}\n{ASK_ABOUT}")


def anything() -> Prompt:
    """The prompt that a question follows when it is asked about nothing."""
    return _prompt(ASK_ANYTHING)


def _prompt(text: str) -> Prompt:
    return Prompt((Message(Role.USER, text),), max_output_tokens=1)


def gains(
    likelihoods: Sequence[npt.NDArray[np.float32]], prior: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """The gain (n,) of each text in nats per token, from the log-probabilities of the question's tokens."""
    base = float(np.mean(prior, dtype=np.float64))
    return np.array([float(np.mean(one, dtype=np.float64)) - base for one in likelihoods], np.float32)
