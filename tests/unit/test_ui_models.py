"""The embedding model: what is told of it, making the vectors again, measuring one's own pages."""

from typing import Any

import pytest

from tabwise.protocol import codec
from ui_driver import EMBEDDER, NOW_MS, STATS, Driver, page, text_of

A = "https://a.example/"
ROWS = [
    {
        "mode": mode,
        "recall_at_1": share,
        "recall_at_3": share,
        "recall_at_10": share,
        "reciprocal_rank": share,
        "query_ms": 1.25,
    }
    for mode, share in (("convex", 0.875), ("lexical", 0.5))
]

MEASURED = {
    "n_questions": 25,
    "n_chunks": 12,
    "rows": ROWS,
    "n_answered": 24,
    "n_citations": 40,
    "n_at_the_place": 30,
}


def opened(where: str, **embedder: Any) -> Driver:
    driver = Driver()
    driver.do("boot", draft="", page=where, browser_language="en")
    stats = STATS | {"n_pages": 1, "n_chunks": 12, "n_vectors": 10}
    ready = {"version": "0.1.0", "stats": stats, "pages": [page(A)], "semantic": True, "boot_ms": 1.0}
    driver.done(driver.last("hello"), ready)
    driver.done(driver.last("embedder"), EMBEDDER | embedder)
    return driver


def failed(driver: Driver, kind: str, code: str) -> None:
    driver.event(driver.last(kind), "error", code=code, subject="", message="", retryable=True)


def test_the_settings_tell_of_the_model() -> None:
    shown = text_of(opened("settings", licence="Apache-2.0").shown("model")[0])
    assert shown == "Model minilm Dimensions 384 Licence Apache-2.0 Vectors 10 of 12 passages"


def test_vectors_of_the_model_in_use_need_no_word() -> None:
    for where in ("panel", "settings"):
        assert opened(where).shown("offer") == []


@pytest.mark.fault("F30")
def test_vectors_are_made_again_only_when_the_reader_says_so() -> None:
    for where in ("panel", "settings"):
        driver = opened(where, must_reembed=True, stored="other")
        assert "of another model" in text_of(driver.shown("offer")[0])
        assert "reembed" not in [request["type"] for request in driver.requests()]
        driver.press("reembed")
        assert driver.last("reembed")["type"] == "reembed"


def test_not_now_is_taken_for_an_answer() -> None:
    driver = opened("panel", must_reembed=True)
    driver.press("put-off")
    assert driver.shown("offer") == []
    assert "reembed" not in [request["type"] for request in driver.requests()]


def test_progress_is_shown_and_can_be_stopped() -> None:
    driver = opened("panel", must_reembed=True)
    driver.press("reembed")
    driver.event(driver.last("reembed"), "progress", stage="embed", done=3, total=12, unit="chunks")
    assert "3 of 12 passages" in text_of(driver.shown("task-reembed")[0])
    driver.press("stop-reembed")
    assert driver.last("cancel")["target"] == driver.last("reembed")["id"]
    assert driver.shown("stop-reembed")[0][1]["disabled"] is True
    driver.event(driver.last("reembed"), "cancelled")
    assert driver.shown("task-reembed") == []


def test_complete_vectors_are_told_and_the_offer_is_gone() -> None:
    driver = opened("settings", must_reembed=True)
    driver.press("reembed")
    driver.done(driver.last("reembed"), STATS | {"n_chunks": 12, "n_vectors": 12})
    driver.done(driver.last("embedder"), EMBEDDER)
    assert driver.shown("offer") == driver.shown("task-reembed") == []
    assert "12 of 12 passages" in text_of(driver.shown("model")[0])
    assert "All vectors are new" in text_of(driver.draw())


def test_a_failure_is_said_and_the_offer_stays() -> None:
    driver = opened("settings", must_reembed=True)
    driver.press("reembed")
    failed(driver, "reembed", "model_unavailable")
    assert text_of(driver.shown("error")[0]) == "The model could not be started."
    driver.press("reembed")
    assert driver.shown("error") == []


def test_a_question_that_meets_other_vectors_offers_the_same() -> None:
    driver = opened("panel")
    failed(driver, driver.ask()["type"], "model_mismatch")
    (box,) = [node for node in driver.shown("error") if node[1]["data-code"] == "model_mismatch"]
    assert "Make the vectors again" in text_of(box)
    (button,) = [node for node in box[2] if node[0] == "button"]
    driver.do(button[1]["on-click"]["type"])
    assert driver.last("reembed")["type"] == "reembed"


def test_a_task_runs_once_at_a_time() -> None:
    driver = opened("settings", must_reembed=True)
    driver.press("reembed")
    driver.do("reembed")
    assert [request["type"] for request in driver.requests()].count("reembed") == 1


def test_ones_own_pages_are_measured_in_every_mode() -> None:
    driver = opened("settings")
    driver.press("measure")
    request = driver.last("self_test")
    driver.event(request, "progress", stage="retrieve", done=5, total=50, unit="searches")
    assert "5 of 50 searches" in text_of(driver.shown("task-self_test")[0])
    assert driver.shown("measure") == []
    driver.done(request, MEASURED)
    shown = text_of(driver.shown("measured")[0])
    assert "25 questions" in shown
    assert "Words and meaning 88% 88% 88% 0.88 1.2" in shown
    assert "Words only 50% 50% 50% 0.50 1.2" in shown
    assert "24 were answered. Of 40 citations 75% lead to the very paragraph" in shown


def test_making_vectors_again_tells_about_how_long_it_goes_on() -> None:
    driver = opened("settings", must_reembed=True)
    driver.press("reembed")
    request = driver.last("reembed")
    for done, seconds in ((100, 0), (300, 20)):
        event = codec.encode_event(
            request["id"], "progress", stage="embed", done=done, total=1000, unit="chunks"
        )
        driver.do("wire", text=event, now=NOW_MS + 1000 * seconds)
    shown = text_of(driver.shown("task-reembed")[0])
    assert "300 of 1,000 passages · about 2 min left" in shown


def test_without_a_citation_no_share_of_them_is_told() -> None:
    driver = opened("settings")
    driver.press("measure")
    driver.done(driver.last("self_test"), MEASURED | {"n_answered": 0, "n_citations": 0, "n_at_the_place": 0})
    assert "25 questions" in text_of(driver.shown("measured")[0])
    assert driver.shown("measured-citations") == []


@pytest.mark.parametrize("end", ["cancelled", "error"])
def test_a_measurement_that_ends_early_leaves_the_last_one(end: str) -> None:
    driver = opened("settings")
    driver.press("measure")
    driver.done(driver.last("self_test"), MEASURED)
    driver.press("measure")
    if end == "cancelled":
        driver.press("stop-self_test")
        driver.event(driver.last("self_test"), "cancelled")
    else:
        failed(driver, "self_test", "engine_lost")
    assert "25 questions" in text_of(driver.shown("measured")[0])
    assert len(driver.shown("measure")) == 1


def test_an_empty_library_has_nothing_to_measure() -> None:
    driver = opened("settings")
    driver.press("clear")
    driver.press("clear-yes")
    driver.done(driver.last("remove_all"), STATS)
    assert driver.shown("measure") == []


def model_files() -> list[dict[str, Any]]:
    names = ("Model.JSON", "tokenizer.json", "model.onnx")
    return [{"name": name, "url": f"blob:{place}", "size_bytes": 10} for place, name in enumerate(names)]


def test_a_model_of_ones_own_is_handed_over_and_its_files_given_back() -> None:
    driver = opened("settings")
    assert driver.press("embedder-choose") == [("choose_files", "embedder-files")]
    driver.do("embedder_files", files=model_files())
    request = driver.last("embedder_adopt")
    assert [file["name"] for file in request["files"]] == ["model.json", "tokenizer.json", "model.onnx"]
    driver.event(request, "progress", stage="read", done=1, total=3, unit="files")
    assert "1 of 3 files" in text_of(driver.shown("task-embedder_adopt")[0])
    assert driver.shown("embedder-choose") == []
    effects = driver.done(request, {"id": "my-model"})
    assert [effect[1] for effect in effects if effect[0] == "release"] == ["blob:0", "blob:1", "blob:2"]
    assert "my-model is in use now." in text_of(driver.draw())


def test_a_model_that_is_refused_is_said_and_its_files_given_back() -> None:
    driver = opened("settings")
    driver.do("embedder_files", files=model_files())
    failed(driver, "embedder_adopt", "model_damaged")
    assert len(driver.shown("error")) == 1
    assert ("release", "blob:0") in driver.effects
    assert len(driver.shown("embedder-choose")) == 1


def test_a_new_start_of_the_engine_asks_which_model_is_in_use() -> None:
    driver = opened("settings")
    driver.notice("ready", "e1")
    driver.notice("starting", "e2")
    driver.notice("ready", "e2")
    driver.done(driver.last("embedder"), EMBEDDER | {"id": "my-model", "is_own": True, "must_reembed": True})
    assert "my-model" in text_of(driver.shown("model")[0])
    assert len(driver.shown("offer")) == 1
    driver.press("embedder-back")
    assert driver.last("embedder_forget")["type"] == "embedder_forget"


def test_there_is_no_way_back_from_the_packaged_model() -> None:
    assert opened("settings").shown("embedder-back") == []
