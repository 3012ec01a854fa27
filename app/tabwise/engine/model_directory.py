"""The language models of every kind under one roof: the beginning of an id tells who has it."""

from collections.abc import Mapping

from tabwise.errors import ModelError
from tabwise.ports import LanguageModel, LanguageModels


class ModelDirectory:
    """Implements ports.LanguageModels over others, by what stands before the colon of an id."""

    def __init__(self, kinds: Mapping[str, LanguageModels]) -> None:
        self._kinds = dict(kinds)

    async def open(self, model_id: str) -> LanguageModel:
        """Return the model; raises what its owner raises, model_unavailable for an unknown kind."""
        owner = self._kinds.get(model_id.partition(":")[0])
        if owner is None:
            raise ModelError("model_unavailable", "no model of this kind is here", subject=model_id)
        return await owner.open(model_id)
