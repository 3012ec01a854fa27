"""Language models of this machine on the command line."""

import asyncio

from tabwise.adapters.clock import SystemClock
from tabwise.adapters.jinja import jinja_render
from tabwise.adapters.native.llm import NativeDecoders, find_bundled
from tabwise.engine.llm.local_model import LocalModel
from tabwise.engine.llm.local_models import LocalModels

BUNDLED, BUNDLED_ORDER = "bundled", "bundled-order"


def open_bundled() -> LocalModel:
    """Load the model that comes with the extension; raises ModelError model_unavailable."""
    models = LocalModels(NativeDecoders(find_bundled()), render_of=jinja_render, clock=SystemClock())
    return asyncio.run(models.open(BUNDLED))
