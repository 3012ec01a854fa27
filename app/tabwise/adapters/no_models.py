"""What stands in for language models where none is set up: answers are made of sentences of the pages."""

from tabwise.errors import ModelError
from tabwise.ports import LanguageModel


class NoModels:
    """`ports.LanguageModels` without a model."""

    async def open(self, model_id: str) -> LanguageModel:
        """Raise ModelError model_unavailable."""
        raise ModelError("model_unavailable", "no language model is set up", subject=model_id)
