"""Chat templates in Jinja, as models of the hub bring them, run in Jinja's sandbox.

A template comes with a model and is a stranger's program: the immutable sandbox lets it change nothing and
reach nothing, and what it may write is bounded. It sees what templates of the hub expect: `messages`,
`tools`, `add_generation_prompt`, `bos_token` and `raise_exception`.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

from tabwise.core.chat import Message, Prompt
from tabwise.core.llm.template import Render
from tabwise.errors import ModelError

MAX_CHARS = 400_000


async def _nothing() -> None:
    """Jinja is there already."""


async def jinja_render(template: str, *, prepare: Callable[[], Awaitable[None]] = _nothing) -> Render:
    """A renderer of the template; `prepare` makes Jinja importable. Raises ValueError for no template.

    What it cannot render raises ModelError model_damaged.
    """
    await prepare()
    from jinja2 import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.filters["tojson"] = _to_json
    environment.globals["raise_exception"] = _refuse
    try:
        compiled = environment.from_string(template)
    except TemplateError as error:
        raise ValueError(f"chat template: {error}") from error

    def render(prompt: Prompt) -> str:
        try:
            text = compiled.render(
                messages=[_message(one) for one in prompt.messages],
                tools=None,
                add_generation_prompt=True,
                enable_thinking=False,
                bos_token="",
                eos_token="",
            )
        except Exception as error:  # a stranger's program can raise anything
            raise ModelError("model_damaged", f"chat template: {error}", subject="model.json") from error
        return text[:MAX_CHARS]

    return render


def _message(message: Message) -> dict[str, Any]:
    return {"role": message.role.value, "content": message.text}


def _to_json(value: object, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _refuse(message: str) -> NoReturn:
    from jinja2 import TemplateError

    raise TemplateError(message)
