"""Language models of this machine on the command line."""

import argparse
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwise.adapters.clock import SystemClock
from tabwise.adapters.jinja import jinja_render
from tabwise.adapters.native.embedder import MODELS_VARIABLE
from tabwise.adapters.native.llm import NativeDecoders, find_bundled
from tabwise.cli_services import opened_service
from tabwise.engine.llm.local_model import LocalModel
from tabwise.engine.llm.local_models import LocalModels
from tabwise.errors import ModelError
from tabwise.ports import LanguageModels

BUNDLED, BUNDLED_ORDER = "bundled", "bundled-order"


def open_bundled() -> LocalModel:
    """Load the model that comes with the extension; raises ModelError model_unavailable."""
    return asyncio.run(_models().open(BUNDLED))


@asynccontextmanager
async def opened_models(options: argparse.Namespace) -> AsyncIterator[tuple[LanguageModels, str] | None]:
    """The models that `--provider` names, and the id of the one; None when it names none.

    Raises ModelError: model_unavailable when the bundled one is not built, ProviderError: address_invalid.
    """
    if options.provider != BUNDLED:
        async with opened_service(options) as service:
            yield service
        return
    models = _models()
    if await models.describe(BUNDLED) is None:
        about = f"not built (python3 scripts/build.py dist), nor below ${MODELS_VARIABLE}"
        raise ModelError("model_unavailable", about, subject=BUNDLED)
    yield models, BUNDLED


def _models() -> LocalModels:
    return LocalModels(NativeDecoders(find_bundled()), render_of=jinja_render, clock=SystemClock())
