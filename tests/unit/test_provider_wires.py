"""The interfaces of services: bodies checked by the vendors' own types, answers put together from pieces."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from google.genai import types as genai
from groq.types.chat import completion_create_params as groq_params
from ollama._types import ChatRequest
from openai.types.chat import completion_create_params as openai_params
from pydantic import TypeAdapter

from tabwise.adapters.providers.directory import wire_of
from tabwise.adapters.providers.gemini import STAND_IN_SIGNATURE, Gemini
from tabwise.adapters.providers.wire import Draft, Json, OfferedModel, Provider, ServiceSaid, Wire
from tabwise.core.chat import Completion, Finish, Message, Prompt, Role, ToolCall, ToolSpec

pytestmark = pytest.mark.native

SEARCH = ToolSpec(
    "search_pages",
    "Search the pages.",
    {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
CALL = ToolCall("call_7", "search_pages", '{"query": "tides"}')
PROMPT = Prompt(
    (
        Message(Role.SYSTEM, "Cite your sources."),
        Message(Role.USER, "How high are the tides? 🌊"),
        Message(Role.ASSISTANT, "", (CALL,)),
        Message(Role.TOOL, "16.3 metres", tool_call_id="call_7"),
    ),
    max_output_tokens=300,
    tools=(SEARCH,),
    temperature=0.2,
    stops=("\n\n",),
)


def provider(
    kind: str, model: str = "m-1", address: str = "https://api.example/v1", key: str = "sk-1"
) -> Provider:
    return Provider("p", kind, "", address, model, 8192, True, key)


def body_of(kind: str, model: str = "m-1", without: Sequence[str] = ()) -> dict[str, Any]:
    body = wire_of(provider(kind, model)).call(PROMPT, frozenset(without)).body
    assert body is not None
    found: dict[str, Any] = json.loads(json.dumps(body))
    return found


def read(wire: Wire, *values: Json) -> Completion:
    draft = Draft()
    text = "".join(wire.read(value, draft) for value in values)
    return draft.completion(text)


# bodies


def test_openai_takes_the_body() -> None:
    TypeAdapter(openai_params.CompletionCreateParamsStreaming).validate_python(body_of("openai"), strict=True)


def test_groq_takes_the_body() -> None:
    body = body_of("groq", "openai/gpt-oss-20b")
    TypeAdapter(groq_params.CompletionCreateParams).validate_python(body, strict=False)
    known = set(groq_params.CompletionCreateParams.__annotations__)
    assert set(body) - {"stream_options"} <= known


def test_ollama_takes_the_body() -> None:
    body = body_of("ollama")
    request = ChatRequest.model_validate(body, strict=False)
    assert request.model_dump(exclude_none=True)["options"]["num_ctx"] == 8192
    assert set(body) <= set(ChatRequest.model_fields)


def test_gemini_takes_the_body() -> None:
    body = body_of("gemini", "gemini-3.8-flash")
    TypeAdapter(list[genai.Content]).validate_python(body["contents"], strict=False)
    TypeAdapter(list[genai.Tool]).validate_python(body["tools"])
    genai.GenerationConfig.model_validate(body["generationConfig"])
    assert genai.Content.model_validate(body["systemInstruction"]).parts


def test_a_key_stands_in_a_header_and_nowhere_else() -> None:
    names = {
        "openai": "authorization",
        "groq": "authorization",
        "azure": "api-key",
        "gemini": "x-goog-api-key",
    }
    for kind, name in names.items():
        call = wire_of(provider(kind, key="sk-planted")).call(PROMPT, frozenset())
        assert "sk-planted" in dict(call.headers)[name]
        assert "sk-planted" not in call.url + json.dumps(call.body)


def test_no_key_sends_no_header_for_one() -> None:
    for kind in ("compatible", "ollama"):
        call = wire_of(provider(kind, key="")).call(PROMPT, frozenset())
        assert [name for name, _ in call.headers] == ["content-type"]


def test_azure_keeps_the_version_of_its_address_behind_the_path() -> None:
    address = "https://me.openai.azure.com/openai/deployments/d?api-version=2024-10-21"
    wire = wire_of(provider("azure", address=address))
    assert wire.call(PROMPT, frozenset()).url == address.replace("?", "/chat/completions?")
    assert wire.models_call().url == "https://me.openai.azure.com/openai/models?api-version=2024-10-21"


@pytest.mark.parametrize(
    ("kind", "without", "name"),
    [
        ("openai", [], "max_completion_tokens"),
        ("openai", ["max_completion_tokens"], "max_tokens"),
        ("compatible", [], "max_tokens"),
        ("compatible", ["max_tokens"], "max_completion_tokens"),
    ],
)
def test_a_refused_limit_goes_under_its_other_name(kind: str, without: list[str], name: str) -> None:
    body = body_of(kind, without=without)
    assert [key for key in body if key.startswith("max_")] == [name]


@pytest.mark.parametrize("kind", ["openai", "compatible", "ollama"])
def test_every_optional_parameter_can_be_left_out(kind: str) -> None:
    optional = list(wire_of(provider(kind)).optional)
    assert not set(body_of(kind, without=optional)) & set(optional)


def test_every_optional_parameter_of_gemini_can_be_left_out() -> None:
    body = body_of("gemini", "gemini-3.8-flash", list(Gemini.optional))
    assert body["generationConfig"] == {}


def test_a_model_that_reasons_gets_room_for_it() -> None:
    assert body_of("groq", "openai/gpt-oss-20b")["max_completion_tokens"] > PROMPT.max_output_tokens
    assert body_of("openai")["max_completion_tokens"] == PROMPT.max_output_tokens


# answers


def chunk(delta: Json, finish: str | None = None) -> Json:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def test_openai_pieces_become_one_completion() -> None:
    done = read(
        wire_of(provider("openai")),
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "16.3 "}),
        {"choices": []},
        chunk({"content": "metres", "reasoning": "unseen"}),
        chunk({}, "length"),
        {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}},
    )
    assert done == Completion("16.3 metres", Finish.LENGTH, (), 9, 4)


def fragment(index: int | None, call_id: str | None, name: str | None, arguments: str) -> Json:
    call: dict[str, Any] = {"function": {"arguments": arguments}}
    if index is not None:
        call["index"] = index
    if call_id is not None:
        call["id"] = call_id
    if name is not None:
        call["function"]["name"] = name
    return chunk({"tool_calls": [call]})


TWO = (ToolCall("a", "search_pages", '{"query":"x"}'), ToolCall("b", "read_page", "{}"))


@pytest.mark.parametrize(
    "pieces",
    [
        [
            fragment(0, "a", "search_pages", ""),
            fragment(0, None, None, '{"query"'),
            fragment(1, "b", "read_page", "{"),
            fragment(0, None, None, ':"x"}'),
            fragment(1, None, None, "}"),
        ],
        [
            fragment(0, "a", "search_pages", '{"query":"x"}'),
            fragment(0, "b", "read_page", "{}"),
        ],
        [
            fragment(None, "a", "search_pages", '{"query":'),
            fragment(None, None, None, '"x"}'),
            fragment(None, "b", "read_page", "{}"),
        ],
        [
            fragment(0, "a", "search_pages", '{"query":'),
            fragment(0, "a", "search_pages", '"x"}'),
            fragment(1, "b", "read_page", ""),
        ],
    ],
    ids=["interleaved", "all numbered 0", "no numbers", "id repeated, no arguments"],
)
def test_calls_are_put_together_from_fragments(pieces: list[Json]) -> None:
    done = read(wire_of(provider("compatible")), *pieces, chunk({}, "tool_calls"))
    assert done.tool_calls == TWO
    assert done.finish is Finish.TOOL_CALLS


def test_an_answer_in_one_piece_is_one_too() -> None:
    message = {"role": "assistant", "content": "Hi", "tool_calls": None}
    whole = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1}}
    assert read(wire_of(provider("compatible")), whole) == Completion("Hi", Finish.STOP, (), 1, None)


def test_groq_tells_usage_in_a_place_of_its_own() -> None:
    last = {**chunk({}, "stop"), "x_groq": {"usage": {"prompt_tokens": 5, "completion_tokens": 6}}}
    assert read(wire_of(provider("groq")), last).n_output_tokens == 6


@pytest.mark.parametrize("kind", ["openai", "gemini", "ollama"])
def test_an_error_in_the_stream_is_no_piece(kind: str) -> None:
    with pytest.raises(ServiceSaid):
        wire_of(provider(kind)).read({"error": {"message": "overloaded"}}, Draft())


@pytest.mark.parametrize("kind", ["openai", "gemini", "ollama"])
@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"choices": None, "candidates": None, "message": None},
        {"choices": [None], "candidates": [5], "message": []},
        {"choices": [{"delta": None}], "candidates": [{"content": {"parts": [None, {}]}}], "usage": 3},
        {"choices": [{"delta": {"content": 5, "tool_calls": [{}]}}], "usageMetadata": "x"},
    ],
)
def test_an_odd_piece_is_read_past(kind: str, odd: Json) -> None:
    assert read(wire_of(provider(kind)), odd).text == ""


def part(*parts: Json, finish: str | None = None) -> Json:
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, "finishReason": finish}]}


def test_gemini_pieces_become_one_completion() -> None:
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 3, "thoughtsTokenCount": 2}
    done = read(
        wire_of(provider("gemini")),
        part({"text": "thinking…", "thought": True}),
        part({"text": "16.3 "}),
        {**part({"text": "metres"}, finish="STOP"), "usageMetadata": usage},
    )
    assert done == Completion("16.3 metres", Finish.STOP, (), 9, 5)


def test_a_filtered_answer_says_so() -> None:
    gemini, openai = wire_of(provider("gemini")), wire_of(provider("openai"))
    assert read(gemini, {"promptFeedback": {"blockReason": "SAFETY"}}).finish is Finish.FILTERED
    assert read(gemini, part(finish="RECITATION")).finish is Finish.FILTERED
    assert read(openai, chunk({}, "content_filter")).finish is Finish.FILTERED


def test_the_signature_of_a_call_comes_back_with_it() -> None:
    wire = wire_of(provider("gemini", "gemini-3.8-flash"))
    asked = {"functionCall": {"name": "search_pages", "args": {"query": "x"}}, "thoughtSignature": "c2ln"}
    second = {"functionCall": {"name": "search_pages", "args": {"query": "y"}}}
    done = read(wire, part(asked, second, finish="STOP"))
    assert [json.loads(call.arguments)["query"] for call in done.tool_calls] == ["x", "y"]
    answers = [Message(Role.TOOL, "16.3 m", tool_call_id=call.id) for call in done.tool_calls]
    history = (Message(Role.USER, "?"), Message(Role.ASSISTANT, "", done.tool_calls), *answers)
    body = wire.call(Prompt(history, 10), frozenset()).body
    assert body is not None
    asked_again, results = body["contents"][1]["parts"], body["contents"][2]["parts"]
    assert asked_again[0]["thoughtSignature"] == "c2ln"
    assert "thoughtSignature" not in asked_again[1]
    assert [result["functionResponse"]["name"] for result in results] == ["search_pages"] * 2


def test_a_call_from_elsewhere_gets_the_stand_in() -> None:
    assert body_of("gemini")["contents"][1]["parts"][0]["thoughtSignature"] == STAND_IN_SIGNATURE


def test_ollama_lines_become_one_completion() -> None:
    done = read(
        wire_of(provider("ollama")),
        {"message": {"role": "assistant", "content": "16.3 ", "thinking": "unseen"}, "done": False},
        {"message": {"content": "metres"}, "done": False},
        {
            "message": {"content": ""},
            "done": True,
            "done_reason": "length",
            "prompt_eval_count": 9,
            "eval_count": 4,
        },
    )
    assert done == Completion("16.3 metres", Finish.LENGTH, (), 9, 4)


def test_ollama_calls_come_whole() -> None:
    call = {"function": {"name": "search_pages", "arguments": {"query": "größe"}}}
    done = read(
        wire_of(provider("ollama")),
        {"message": {"content": "", "tool_calls": [call]}, "done": False},
        {"message": {"content": ""}, "done": True, "done_reason": "stop"},
    )
    assert done.tool_calls == (ToolCall("call_0", "search_pages", '{"query": "größe"}'),)


# lists


def test_models_are_listed_with_what_they_read() -> None:
    groq = {"data": [{"id": "a", "context_window": 131072, "active": True}, {"id": "b", "active": False}]}
    gemini = {
        "models": [
            {"name": "models/g", "inputTokenLimit": 7, "supportedGenerationMethods": ["generateContent"]},
            {"name": "models/e", "inputTokenLimit": 7, "supportedGenerationMethods": ["embedContent"]},
        ]
    }
    assert wire_of(provider("groq")).read_models(groq) == [OfferedModel("a", 131072)]
    assert wire_of(provider("gemini")).read_models(gemini) == [OfferedModel("g", 7)]
    assert wire_of(provider("ollama")).read_models({"models": [{"name": "q:4b"}]}) == [OfferedModel("q:4b")]
