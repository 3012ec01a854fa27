"""Embedding models in the settings: fetched, used and deleted only when the reader says so."""

from typing import Any

import pytest

from ui_driver import EMBEDDER, STATS, Driver, text_of


def model(name: str, state: str = "absent", **more: Any) -> dict[str, Any]:
    record: dict[str, Any] = {"id": name, "label": name.title(), "licence": "MIT", "dimensions": 384}
    record |= {"reads_any_script": False, "size_bytes": 34_000_000, "stored_bytes": 0, "state": state}
    return record | {"is_in_use": False} | more


def listed(*models: dict[str, Any]) -> dict[str, Any]:
    return {"models": list(models), "free_bytes": 5_000_000_000}


@pytest.fixture
def driver() -> Driver:
    driver = Driver()
    driver.do("boot", draft="", page="settings", browser_language="en")
    ready = {"version": "0.1.0", "stats": STATS, "pages": [], "semantic": True, "boot_ms": 1.0}
    driver.done(driver.last("hello"), ready)
    driver.done(driver.last("embedder"), EMBEDDER)
    return driver


def test_where_no_models_can_be_had_there_is_no_list(driver: Driver) -> None:
    request = driver.last("embedder_catalogue")
    driver.event(request, "error", code="model_unavailable", subject="", message="", retryable=False)
    assert driver.shown("embedders") == []
    assert len(driver.shown("embedder-choose")) == 1


def test_a_row_says_what_a_model_is(driver: Driver) -> None:
    many = model("e5", "partial", stored_bytes=5_000_000, reads_any_script=True)
    driver.done(driver.last("embedder_catalogue"), listed(model("bge"), many))
    english, languages = [text_of(node) for node in driver.shown("embedder")]
    assert "Bge 34.0 MB · 384 dimensions · MIT · English" in english
    assert "about 100 languages" in languages
    assert "5.0 MB" in languages


def test_a_download_is_paused_goes_on_and_is_not_used_by_itself(driver: Driver) -> None:
    driver.done(driver.last("embedder_catalogue"), listed(model("bge"), model("e5")))
    driver.press("embedder-get")
    request = driver.last("embedder_download")
    assert request["model"] == "bge"
    assert driver.shown("embedder-get") == []
    driver.event(request, "progress", stage="download", done=3, total=34, unit="megabytes")
    assert "3 of 34 MB" in text_of(driver.shown("task-embedder_download")[0])
    driver.press("stop-embedder_download")
    assert driver.last("cancel")["target"] == request["id"]
    driver.event(request, "cancelled")
    driver.done(driver.last("embedder_catalogue"), listed(model("bge", "partial", stored_bytes=3_000_000)))
    driver.press("embedder-get")
    driver.done(driver.last("embedder_download"), listed(model("bge", "here")))
    assert "Bge is here. It is used when you press Use." in text_of(driver.draw())
    assert "embedder_use" not in [request["type"] for request in driver.requests()]


def test_a_model_is_tried_then_used_and_the_vectors_are_offered(driver: Driver) -> None:
    driver.done(driver.last("embedder_catalogue"), listed(model("bge", "here")))
    driver.press("embedder-use")
    driver.done(driver.last("embedder_use"), {"id": "bge"})
    assert "Bge is in use now." in text_of(driver.draw())
    driver.notice("ready", "e1")
    driver.notice("starting", "e2")
    driver.notice("ready", "e2")
    driver.done(driver.last("embedder"), EMBEDDER | {"id": "bge", "is_own": True, "must_reembed": True})
    driver.done(driver.last("embedder_catalogue"), listed(model("bge", "here", is_in_use=True)))
    assert driver.shown("embedder-use") == []
    assert "in use" in text_of(driver.shown("embedder")[0])
    assert len(driver.shown("offer")) == 1


def test_a_model_that_does_not_run_is_said_in_its_row(driver: Driver) -> None:
    driver.done(driver.last("embedder_catalogue"), listed(model("bge", "here")))
    driver.press("embedder-use")
    refusal = {"code": "model_mismatch", "subject": "", "message": "", "retryable": False}
    driver.event(driver.last("embedder_use"), "error", **refusal)
    assert len(driver.shown("error")) == 1
    assert len(driver.shown("embedder-use")) == 1


def test_deleting_is_asked_once_more(driver: Driver) -> None:
    driver.done(driver.last("embedder_catalogue"), listed(model("bge", "here", stored_bytes=34_000_000)))
    driver.press("embedder-delete")
    assert "embedder_remove" not in [request["type"] for request in driver.requests()]
    driver.press("embedder-delete-yes")
    driver.done(driver.last("embedder_remove"), listed(model("bge")))
    assert [node[1]["data-state"] for node in driver.shown("embedder")] == ["absent"]
