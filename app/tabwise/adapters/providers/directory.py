"""The services the reader set up: opening one, and testing one without spending a token."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from tabwise.adapters.providers.failures import Answer, Wait, Without, judge
from tabwise.adapters.providers.gemini import Gemini
from tabwise.adapters.providers.ollama import Ollama
from tabwise.adapters.providers.openai_chat import OpenAiChat
from tabwise.adapters.providers.remote_model import RemoteModel, asked_of, json_bytes, refusal_of
from tabwise.adapters.providers.wire import Call, Json, OfferedModel, Provider, Wire
from tabwise.core.network.http import HttpRequest, Purpose, origin_of
from tabwise.core.text.bounded_json import read_json
from tabwise.errors import AppError, ProviderError
from tabwise.ports import Http, Inspection, Keys, SettingsSource
from tabwise.protocol.providers import PRESETS, provider_key_name, provider_model_id, read_address
from tabwise.protocol.settings import sound_settings

TEST_SILENCE_MS = 15_000
MAX_LIST_BYTES = 8_000_000


class Providers:
    """Implements ports.LanguageModels for ids that begin with "provider:", and ports.ProviderTester.

    own_origin: what the browser tells services that we are, which Ollama must be told to answer.
    """

    def __init__(self, http: Http, keys: Keys, settings: SettingsSource, *, own_origin: str = "") -> None:
        self._http = http
        self._keys = keys
        self._settings = settings
        self._own_origin = own_origin
        self._opened: dict[str, tuple[Provider, RemoteModel]] = {}

    async def open(self, model_id: str) -> RemoteModel:
        """Return the model of a provider in the settings; nothing is sent.

        The same one comes back while its settings stay, so that what a service refused is asked once.
        Raises ProviderError: provider_unknown (subject: the id), key_missing, model_unknown; HostError.
        """
        settings = sound_settings(await self._settings.settings())
        for row in settings["providers"]:
            if provider_model_id(row["id"]) == model_id:
                return self._model(await self._provider(row))
        raise ProviderError("provider_unknown", "no such provider in the settings", subject=model_id)

    async def inspect(self, row: Mapping[str, object]) -> Inspection:
        """Ask a service, described by a Provider record, what it offers; only its list of models is read.

        Raises ProviderError for each cause that keeps it from answering: see failures.judge and ports.Http;
        model_unknown (subject: the model) when it does not list the model.
        """
        provider = await self._provider(row)
        if provider.kind == "compatible" and await self._is_ollama(provider):
            address = read_address(_root(provider.address), "ollama")[0]
            provider = replace(provider, kind="ollama", address=address)
        if bool(PRESETS[provider.kind]["needs_key"]) and not provider.key:
            raise ProviderError("key_missing", "no key is kept", subject=origin_of(provider.address))
        wire = wire_of(provider)
        models = wire.read_models(await self._fetch(provider, wire.models_call()))
        self._require_model(provider, models)
        context_tokens = next((m.context_tokens for m in models if m.id == provider.model), 0)
        calls_tools = bool(PRESETS[provider.kind]["calls_tools"])
        if isinstance(wire, Ollama) and models:
            # Also to see whether it lets us: it asks for our origin only where there is a body.
            call = wire.show_call(provider.model or models[0].id)
            context_tokens, calls_tools = wire.read_show(await self._fetch(provider, call))
        return Inspection(
            provider.kind,
            provider.address,
            tuple((model.id, model.context_tokens) for model in models),
            context_tokens,
            calls_tools,
        )

    async def _provider(self, row: Mapping[str, object]) -> Provider:
        provider_id, kind = str(row["id"]), str(row["kind"])
        told, preset = row["context_tokens"], PRESETS[kind]["context_tokens"]
        return Provider(
            provider_id,
            kind,
            str(row["label"]),
            str(row["address"]),
            str(row["model"]),
            told if isinstance(told, int) and told > 0 else preset,
            bool(row["calls_tools"]),
            await self._keys.key(provider_key_name(provider_id)),
        )

    def _model(self, provider: Provider) -> RemoteModel:
        if bool(PRESETS[provider.kind]["needs_key"]) and not provider.key:
            raise ProviderError("key_missing", "no key is kept", subject=origin_of(provider.address))
        if not provider.model:
            raise ProviderError("model_unknown", "no model is chosen", subject=provider.label)
        known, model = self._opened.get(provider.id, (None, None))
        if model is None or known != provider:
            model = RemoteModel(provider, wire_of(provider), self._http, own_origin=self._own_origin)
            self._opened[provider.id] = (provider, model)
        return model

    async def _is_ollama(self, provider: Provider) -> bool:
        """Whether an address is of an Ollama, whose other interface cannot set the size of the context."""
        call = Call(_root(provider.address) + "/api/version", ())
        try:
            told = await self._fetch(provider, call)
        except AppError as error:
            if error.code.startswith(("network_", "egress_", "address_")):
                raise
            return False
        return set(told) == {"version"}

    async def _fetch(self, provider: Provider, call: Call) -> Json:
        request = HttpRequest(
            "GET" if call.body is None else "POST",
            call.url,
            Purpose.CHECK,
            call.headers,
            json_bytes(call.body),
            secrets=(provider.key,) if provider.key else (),
            silence_ms=TEST_SILENCE_MS,
        )
        asked = asked_of(provider, call, {}, self._own_origin)
        async with self._http.send(request) as response:
            if response.status != 200:
                answer = await refusal_of(response)
            else:
                body = b""
                async for chunk in response.chunks():
                    body += chunk
                    if len(body) > MAX_LIST_BYTES:
                        break
                answer = Answer(200, response.headers, body.decode("utf-8", "replace"))
        value = _object(answer.text) if answer.status == 200 else None
        if value is not None and "error" not in value:
            return value
        raise _error(judge(answer, asked))

    @staticmethod
    def _require_model(provider: Provider, models: list[OfferedModel]) -> None:
        names = {model.id for model in models} | {model.id.removesuffix(":latest") for model in models}
        # Azure lists models and is asked for deployments, which have names of their own.
        if provider.model and names and provider.kind != "azure" and provider.model not in names:
            raise ProviderError("model_unknown", "the service does not list it", subject=provider.model)


def wire_of(provider: Provider) -> Wire:
    """The interface of a provider's kind."""
    if provider.kind == "gemini":
        return Gemini(provider)
    if provider.kind == "ollama":
        return Ollama(provider)
    return OpenAiChat(provider)


def _root(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _object(text: str) -> Json | None:
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _error(verdict: AppError | Wait | Without) -> AppError:
    """A test asks once: what could be repeated counts as it is."""
    if isinstance(verdict, Wait):
        return verdict.error
    if isinstance(verdict, Without):
        return ProviderError("request_refused", verdict.parameter)
    return verdict
