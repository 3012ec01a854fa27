"""Settings of what writes answers: engines, models of this computer, services and their keys; what works."""

import json
from typing import Any

import pytest

from tabwise.protocol import schema
from tabwise.protocol.settings import default_settings
from tabwise.protocol.tables.doctor import DOCTOR
from tabwise.ui.state import find
from tabwise.ui.view.settings.writing import engine_rows
from ui_driver import NOW_MS, STATS, Driver, page, text_of

A = "https://a.example/"
SERVICE = "https://api.openai.com"
OPENAI: dict[str, Any] = {
    "id": "openai",
    "kind": "openai",
    "label": "OpenAI",
    "address": "https://api.openai.com/v1",
    "model": "gpt-5.4-mini",
    "context_tokens": 0,
    "calls_tools": True,
}


def model(name: str, state: str = "absent", **more: Any) -> dict[str, Any]:
    record: dict[str, Any] = {"id": name, "engine": f"catalogue:{name}", "label": name.title()}
    record |= {"licence": "MIT", "device": "wasm", "context_tokens": 4096, "size_bytes": 1_200_000_000}
    return record | {"stored_bytes": 0, "state": state, "is_imported": False, "speed": None} | more


def catalogue(*models: dict[str, Any]) -> dict[str, Any]:
    return {"models": list(models), "free_bytes": 5_000_000_000}


def line(topic: str, reason: str, **values: str) -> dict[str, Any]:
    state, action = DOCTOR[topic][reason]
    record = {"topic": topic, "reason": reason, "state": state, "action": action, "subject": ""}
    listed = [{"name": name, "value": value} for name, value in values.items()]
    return record | {"values": listed, "code": "", "message": ""}


@pytest.fixture
def driver() -> Driver:
    opened = Driver()
    opened.do("boot", draft="", page="settings", browser_language="en")
    result = {"version": "0.1.0", "stats": STATS, "pages": [page(A)], "semantic": True, "boot_ms": 1.0}
    opened.done(opened.last("hello"), result)
    return opened


def stored(driver: Driver) -> dict[str, Any]:
    """The settings as they were saved last."""
    texts = [effect[1] for effect in driver.effects if effect[0] == "save_settings"]
    saved: dict[str, Any] = json.loads(texts[-1])
    return saved


def with_service(driver: Driver, **more: Any) -> None:
    driver.do("settings", value=default_settings() | {"providers": [OPENAI | more]})


def error(driver: Driver, kind: str, code: str) -> None:
    driver.event(driver.last(kind), "error", code=code, subject="", message="", retryable=True)


def test_opening_the_settings_asks_for_all_they_tell_of(driver: Driver) -> None:
    asked = {request["type"] for request in driver.requests()}
    assert {"catalogue", "egress_list", "doctor"} <= asked
    assert (driver.last("doctor")["check"], driver.last("doctor")["test"]) == (False, False)


def test_only_what_can_write_now_can_be_chosen(driver: Driver) -> None:
    driver.done(driver.last("catalogue"), catalogue(model("here", "here"), model("gone")))
    driver.done(driver.last("doctor"), [line("prompt_api", "downloadable")])
    with_service(driver)
    rows = {row["engine"]: row["off"] for row in engine_rows(driver.state)}
    assert rows == {
        "extractive": False,
        "catalogue:here": False,
        "prompt_api": True,
        "provider:openai": False,
    }


def test_a_chosen_engine_that_is_not_there_stays_chosen(driver: Driver) -> None:
    driver.do("choose", name="engine", value="catalogue:lost")
    row = find(engine_rows(driver.state), "engine", "catalogue:lost")
    assert row is not None
    assert row["more"] == "Not there at the moment."
    assert stored(driver)["preferences"]["engine"] == "catalogue:lost"


def test_a_download_is_paused_and_goes_on(driver: Driver) -> None:
    driver.done(driver.last("catalogue"), catalogue(model("one")))
    driver.press("model-get")
    request = driver.last("model_download")
    driver.event(request, "progress", stage="download", done=3, total=12, unit="megabytes")
    assert "3 of 12 MB" in text_of(driver.shown("task-model_download")[0])
    assert text_of(driver.shown("stop-model_download")[0]).strip() == "Pause"
    driver.press("stop-model_download")
    assert driver.last("cancel")["target"] == request["id"]
    driver.event(request, "cancelled")
    driver.done(driver.last("catalogue"), catalogue(model("one", "partial", stored_bytes=300_000_000)))
    driver.press("model-resume")
    driver.done(driver.last("model_download"), catalogue(model("one", "here")))
    assert [node[1]["data-state"] for node in driver.shown("model")] == ["here"]


def test_one_model_is_brought_here_at_a_time(driver: Driver) -> None:
    driver.done(driver.last("catalogue"), catalogue(model("one"), model("two")))
    driver.press("model-get")
    assert driver.shown("model-get") == []


def test_a_download_that_fails_says_why(driver: Driver) -> None:
    driver.done(driver.last("catalogue"), catalogue(model("one")))
    driver.press("model-get")
    error(driver, "model_download", "network_lost")
    assert [text_of(node) for node in driver.shown("error")] == ["The connection broke off."]


def test_a_deleted_model_no_longer_writes(driver: Driver) -> None:
    driver.done(driver.last("catalogue"), catalogue(model("one", "here")))
    driver.do("choose", name="engine", value="catalogue:one")
    driver.press("model-delete")
    assert [request["type"] for request in driver.requests()].count("model_remove") == 0
    driver.press("model-delete-yes")
    assert driver.last("model_remove")["model"] == "one"
    assert stored(driver)["preferences"]["engine"] == "extractive"


def test_the_speed_of_a_model_is_told_where_it_is_chosen(driver: Driver) -> None:
    speed: dict[str, Any] = {"device": "wasm", "prefill_per_s": 210.0, "decode_per_s": 11.4}
    speed |= {"first_text_ms": 640.0, "memory_bytes": 1, "is_slow": False}
    known = {name: speed[name] for name in schema.RECORDS["ModelSpeed"]}
    here = model("one", "here", speed=known)
    driver.done(driver.last("catalogue"), catalogue(here))
    row = find(engine_rows(driver.state), "engine", "catalogue:one")
    assert row is not None
    assert row["more"].endswith("Measured here: 11.4 tokens a second.")


@pytest.mark.parametrize(
    ("memory_bytes", "is_slow", "told"),
    [
        (441_000_000, False, "first word after 0.6 s. Takes 441.0 MB of memory."),
        (0, True, "first word after 0.6 s. An answer takes minutes on this computer."),
    ],
)
def test_a_measured_model_tells_its_speed_and_memory(
    driver: Driver, memory_bytes: int, is_slow: bool, told: str
) -> None:
    speed = {"device": "wasm", "prefill_per_s": 210.0, "decode_per_s": 11.4, "first_text_ms": 640.0}
    speed |= {"memory_bytes": memory_bytes, "is_slow": is_slow}
    driver.done(driver.last("catalogue"), catalogue(model("one", "here", speed=speed)))
    (row,) = driver.shown("model")
    assert f"Reads 210 and writes 11.4 tokens a second, {told}" in text_of(row)


def test_a_folder_that_was_read_is_given_back(driver: Driver) -> None:
    files = [{"name": "config.json", "url": "blob:1", "size_bytes": 3}]
    driver.do("model_files", name="own", files=files)
    assert driver.last("model_import")["files"] == files
    effects = driver.done(driver.last("model_import"), catalogue(model("own", "here")))
    assert ("release", "blob:1") in effects


def test_a_known_service_is_stored_at_once(driver: Driver) -> None:
    driver.press("add-openai")
    (record,) = stored(driver)["providers"]
    assert (record["id"], record["address"]) == ("openai", "https://api.openai.com/v1")
    driver.press("service-done")
    driver.press("add-openai")
    assert [one["id"] for one in stored(driver)["providers"]] == ["openai", "openai-2"]


def test_a_service_without_an_address_is_stored_once_it_has_one(driver: Driver) -> None:
    driver.press("add-compatible")
    assert driver.state["settings"]["providers"] == []
    driver.do("service_typed", name="address", value="llm.example.org")
    driver.do("service_save")
    (record,) = stored(driver)["providers"]
    assert record["address"] == "https://llm.example.org/v1"


def test_an_address_with_a_password_is_refused_and_says_why(driver: Driver) -> None:
    driver.press("add-compatible")
    driver.do("service_typed", name="address", value="https://me:secret@llm.example.org")
    driver.do("service_save")
    assert driver.state["settings"]["providers"] == []
    assert "Leave user and password out" in text_of(driver.shown("service-fields")[0])


@pytest.mark.parametrize("place", ["session", "kept"])
def test_a_key_goes_to_the_browser_and_is_not_shown_again(driver: Driver, place: str) -> None:
    driver.press("add-openai")
    driver.do("service_typed", name="key", value=" sk-1 ")
    effects = driver.press("service-key-" + place)
    assert ("set_key", "provider:openai", "sk-1", place) in effects
    assert "sk-1" not in json.dumps(driver.state["service"])
    assert "sk-1" not in json.dumps(stored(driver))


def test_a_test_tells_what_answers_and_takes_what_it_turned_out_to_be(driver: Driver) -> None:
    driver.press("add-ollama")
    driver.press("service-try")
    models = [{"id": "small", "context_tokens": 4096}, {"id": "large", "context_tokens": 0}]
    found = {"kind": "ollama", "address": "http://localhost:11434", "models": models}
    driver.done(driver.last("provider_test"), found | {"context_tokens": 4096, "calls_tools": True})
    assert text_of(driver.shown("service-found")[0]) == "The service answers. It offers 2 models."
    (record,) = stored(driver)["providers"]
    assert (record["model"], record["calls_tools"], record["context_tokens"]) == ("small", True, 4096)
    driver.do("service_save", name="model", value="large")
    assert stored(driver)["providers"][0]["model"] == "large"


def test_a_test_that_fails_names_the_cause_and_what_helps(driver: Driver) -> None:
    driver.press("add-openai")
    driver.press("service-try")
    error(driver, "provider_test", "network_blocked")
    assert driver.shown("service-error")[0][1]["data-code"] == "network_blocked"
    asked = [effect for effect in driver.press("service-allow") if effect[0] == "grant"]
    assert asked[0][1] == ["https://api.openai.com/*"]


def test_what_a_test_exchanged_is_counted_at_once(driver: Driver) -> None:
    before = driver.last("egress_list")["id"]
    driver.press("add-openai")
    driver.press("service-try")
    error(driver, "provider_test", "key_refused")
    assert driver.last("egress_list")["id"] != before


def test_a_late_reply_about_another_text_is_left(driver: Driver) -> None:
    driver.press("add-openai")
    driver.press("service-try")
    request = driver.last("provider_test")
    driver.do("service_typed", name="model", value="other")
    found = {"kind": "openai", "address": "https://api.openai.com/v1", "models": []}
    driver.done(request, found | {"context_tokens": 0, "calls_tools": True})
    assert driver.shown("service-found") == []


def test_a_removed_service_takes_its_key_and_the_choice_along(driver: Driver) -> None:
    with_service(driver)
    driver.do("choose", name="engine", value="provider:openai")
    effects = driver.press("service-remove")
    assert ("forget_key", "provider:openai") in effects
    assert stored(driver)["providers"] == []
    assert stored(driver)["preferences"]["engine"] == "extractive"


def total(origin: str, purpose: str, *, remote: bool) -> dict[str, Any]:
    record = {"origin": origin, "purpose": purpose, "remote": remote, "n_requests": 2, "sent_bytes": 4200}
    return record | {"received_bytes": 900, "last_at_ms": NOW_MS}


def test_what_left_is_listed_and_what_was_agreed_to_taken_back(driver: Driver) -> None:
    agreed = [{"origin": SERVICE, "purpose": "answer"}]
    totals = [total(SERVICE, purpose, remote=True) for purpose in ("answer", "summary")]
    account = {"agreed": agreed, "totals": totals}
    driver.done(driver.last("egress_list"), account)
    (table,) = driver.shown("leaves-totals")
    assert " ".join(text_of(table).split()).endswith(
        f"{SERVICE} questions and passages, for answers 2 5 KB 1 KB"
        f" {SERVICE} text of pages, for summaries 2 5 KB 1 KB"
    )
    driver.press("revoke")
    assert driver.last("egress_revoke")["destination"] == agreed[0]
    driver.done(driver.last("egress_revoke"), account | {"agreed": []})
    assert driver.shown("agreed") == []


def test_before_anything_left_that_is_said(driver: Driver) -> None:
    driver.done(driver.last("egress_list"), {"agreed": [], "totals": []})
    assert text_of(driver.shown("leaves-none")[0]) == "Nothing has ever left this computer."


def test_pages_of_a_site_are_kept_here_and_let_go_again(driver: Driver) -> None:
    driver.do("leaves_draft", value="*.example.com")
    driver.press("leaves-add")
    assert stored(driver)["never_leaves"] == ["*.example.com"]
    driver.do("leaves_remove", site="*.example.com")
    assert stored(driver)["never_leaves"] == []


def test_what_is_no_site_stays_in_the_box(driver: Driver) -> None:
    driver.do("leaves_draft", value="exa*mple")
    driver.do("leaves_add")
    assert driver.state["leaves_draft"] == "exa*mple"
    assert driver.state["leaves_error"] == "wildcard"


def test_what_needs_the_reader_comes_first(driver: Driver) -> None:
    lines = [line("library", "sound", pages="4", mb="2"), line("storage", "nearly_full", free_mb="3")]
    driver.done(driver.last("doctor"), [*lines, line("qdrant", "failed", name="localhost")])
    states = [node[1]["data-state"] for node in driver.shown("doctor-line")]
    assert states == ["broken", "limited", "good"]


@pytest.mark.parametrize(
    ("topic", "reason", "effect"),
    [
        ("storage", "clearable", ("keep_storage",)),
        ("prompt_api", "downloadable", ("fetch_browser_model", "prompt_api")),
        ("files", "off", ("open_details",)),
        ("sites", "none", ("scroll", "reading")),
        ("storage", "nearly_full", ("scroll", "library")),
    ],
)
def test_a_finding_leads_to_what_helps(
    driver: Driver, topic: str, reason: str, effect: tuple[str, ...]
) -> None:
    values = {"mb": "1", "free_mb": "1", "n": "0"}
    driver.done(driver.last("doctor"), [line(topic, reason, **values)])
    assert effect in driver.press("doctor-" + DOCTOR[topic][reason][1])


@pytest.mark.parametrize(
    ("topic", "reason", "request_type"),
    [
        ("library", "faulty", "reset_library"),
        ("library", "locked", "doctor"),
        ("embedder", "changed", "reembed"),
        ("memory", "large", "engine_restart"),
        ("provider", "untested", "doctor"),
    ],
)
def test_a_finding_asks_the_engine_for_what_helps(
    driver: Driver, topic: str, reason: str, request_type: str
) -> None:
    driver.done(driver.last("doctor"), [line(topic, reason, mb="1", name="OpenAI", model="m")])
    before = len(driver.requests())
    driver.press("doctor-" + DOCTOR[topic][reason][1])
    assert driver.requests()[before]["type"] == request_type


def test_looking_through_everything_asks_no_service(driver: Driver) -> None:
    driver.done(driver.last("doctor"), [line("library", "empty")])
    driver.press("doctor-look")
    assert (driver.last("doctor")["check"], driver.last("doctor")["test"]) == (True, False)
    effects = driver.done(driver.last("doctor"), [line("library", "empty")])
    assert ("announce", "Nothing is broken.") in effects
