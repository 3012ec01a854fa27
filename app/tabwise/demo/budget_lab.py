"""The lab of the context budget: what of a conversation and of the passages found fits, counted and decided.

The decision is `core.budget.fit`, the one the engine makes for every prompt; the texts are those of a real
prompt; the counts are those of the embedder's tokenizer, which is there without any further download.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tabwise.core.answers.budget import BudgetConfig, Item, fit
from tabwise.core.answers.followup import Turn
from tabwise.core.answers.prompts import Source, escape, source_text, system_text

SHOWN_CHARS = 160


def weigh(
    config: BudgetConfig,
    question: str,
    turns: Sequence[Turn],
    sources: Sequence[Source],
    count: Callable[[str], int],
) -> dict[str, Any]:
    """Return the fields of a "budget" event; turns oldest first, sources best first."""
    fixed = [("system", "Instructions", system_text("en")), ("question", "Question", escape(question, ""))]
    past = [
        ("turn", turn.question, "\n".join(escape(text, "") for text in (turn.question, turn.answer)))
        for turn in turns
    ]
    found = [("source", f"[{one.number}] {one.title}", source_text(one, "")) for one in sources]
    texts = [*fixed, *past, *found]
    items = [Item(kind, name, count(text)) for kind, name, text in texts]
    n_fixed, n_past = len(fixed), len(fixed) + len(past)
    decided = fit(config, items[:n_fixed], items[n_fixed:n_past], items[n_past:])
    return {
        "room_tokens": decided.room_tokens,
        "n_tokens": decided.n_tokens,
        "items": [
            {
                "kind": line.item.kind,
                "name": line.item.name,
                "text": text[:SHOWN_CHARS],
                "n_tokens": line.item.n_tokens,
                "reason": line.reason,
            }
            for line, (_, _, text) in zip(decided.lines, texts, strict=True)
        ],
    }
