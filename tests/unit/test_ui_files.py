"""Files in the panel: chosen or dropped, asked for one by one, told in rows, their addresses given back."""

from typing import Any

import pytest

from ui_driver import Driver, page, tab, text_of

REPORT, NOTES = {"name": "Report.PDF", "url": "blob:1"}, {"name": "notes.txt", "url": "blob:2"}
PHOTO = {"name": "photo.png", "url": "blob:3"}
SOURCE = "file:Report.PDF#0123456789ab"


@pytest.fixture
def driver() -> Driver:
    ready = Driver().ready(page("https://a.example/", "Saved before"))
    ready.do("tabs", tabs=[tab(1, "https://b.example/")])
    ready.do("view", value="pages")
    return ready


def row(state: str, saved: dict[str, Any] | None = None, code: str = "") -> dict[str, Any]:
    failure = {"code": code, "subject": "", "message": ""} if code else None
    return {"tab_id": -1, "state": state, "page": saved, "failure": failure}


def report(**more: Any) -> dict[str, Any]:
    return page("file:Report.PDF", "Tides", source=SOURCE, n_pages=12, n_words=3214, **more)


def requests(driver: Driver) -> list[dict[str, Any]]:
    return [request for request in driver.requests() if request["type"] == "add_file"]


def released(driver: Driver) -> list[str]:
    return [effect[1] for effect in driver.effects if effect[0] == "release"]


def states(driver: Driver) -> list[str]:
    return [node[1]["data-state"] for node in driver.shown("file-row")]


def test_the_button_asks_the_browser_for_files(driver: Driver) -> None:
    assert driver.press("add-files") == [("choose_files", "files")]


def test_every_file_is_asked_for_by_its_name_and_address(driver: Driver) -> None:
    driver.do("files", files=[REPORT, NOTES])
    assert [(each["name"], each["url"]) for each in requests(driver)] == [
        ("Report.PDF", "blob:1"),
        ("notes.txt", "blob:2"),
    ]
    assert states(driver) == ["waiting", "waiting"]
    assert "0 of 2" in text_of(driver.shown("progress")[0])
    assert released(driver) == []


def test_a_file_is_told_in_its_row_and_its_address_given_back(driver: Driver) -> None:
    driver.do("files", files=[REPORT, NOTES])
    first, second = requests(driver)
    driver.event(first, "progress", stage="embed", done=3, total=9, unit="chunks")
    assert states(driver) == ["reading", "waiting"]
    assert "3 of 9 passages" in text_of(driver.shown("progress")[0])
    driver.done(first, row("added", report()))
    assert states(driver) == ["added", "waiting"]
    assert released(driver) == ["blob:1"]
    assert ("announce", "Report.PDF added.") in driver.effects
    shown = text_of(driver.shown("file-row")[0])
    assert "Report.PDF" in shown
    assert "12 pages" in shown
    assert "3,214 words" in shown
    assert "1 of 2" in text_of(driver.shown("progress")[0])
    driver.done(second, row("failed", code="page_empty"))
    assert driver.shown("progress") == []
    assert released(driver) == ["blob:1", "blob:2"]


def test_an_added_file_is_listed_once_and_asked_at_once(driver: Driver) -> None:
    driver.do("files", files=[REPORT])
    driver.done(requests(driver)[0], row("added", report()))
    assert [node[1]["data-source"] for node in driver.shown("library-row")] == ["https://a.example/"]
    assert [saved["source"] for saved in driver.state["library"]] == [SOURCE, "https://a.example/"]
    driver.press("remove", 0)
    assert driver.shown("file-row") == []
    assert driver.last("remove")["source"] == SOURCE
    assert ("focus", "add-files") in driver.effects
    driver.press("undo")
    assert states(driver) == ["added"]


def test_the_same_file_again_is_one_row_that_says_so(driver: Driver) -> None:
    for state in ("added", "unchanged"):
        driver.do("files", files=[REPORT | {"url": f"blob:{state}"}])
        driver.done(requests(driver)[-1], row(state, report()))
    assert states(driver) == ["unchanged"]
    assert "unchanged" in text_of(driver.shown("file-row")[0])


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("page_locked", "This PDF is locked with a password."),
        ("page_empty", "There is no text in this file."),
        ("file_too_large", "This file is larger than 50 MB, which is too much to read."),
    ],
)
def test_a_file_that_cannot_be_read_says_why_and_can_be_dismissed(
    driver: Driver, code: str, sentence: str
) -> None:
    driver.do("files", files=[NOTES])
    driver.done(requests(driver)[0], row("failed", code=code))
    assert text_of(driver.shown("error")[0]) == sentence
    assert ("announce", f"notes.txt: {sentence}") in driver.effects
    driver.press("dismiss-file")
    assert driver.shown("file-row") == []
    assert ("focus", "add-files") in driver.effects


def test_a_request_that_fails_as_a_whole_fails_in_its_row(driver: Driver) -> None:
    driver.do("files", files=[NOTES])
    driver.event(
        requests(driver)[0], "error", code="store_locked", subject="", message="busy", retryable=True
    )
    assert text_of(driver.shown("error")[0]) == "The library is in use by another window."
    assert "Try again" in text_of(driver.shown("file-row")[0])
    assert released(driver) == ["blob:2"]
    assert driver.state["jobs"] == []


def test_stop_cancels_what_is_not_finished(driver: Driver) -> None:
    driver.do("files", files=[REPORT, NOTES])
    first, second = requests(driver)
    driver.done(first, row("added", report()))
    driver.press("stop")
    cancels = [request for request in driver.requests() if request["type"] == "cancel"]
    assert [request["target"] for request in cancels] == [second["id"]]
    driver.event(second, "cancelled")
    assert states(driver) == ["added"]
    assert driver.shown("progress") == []
    assert released(driver) == ["blob:1", "blob:2"]


def test_a_file_of_another_kind_is_turned_away_in_words(driver: Driver) -> None:
    driver.do("files", files=[PHOTO, NOTES])
    assert released(driver) == ["blob:3"]
    assert [each["name"] for each in requests(driver)] == ["notes.txt"]
    assert driver.state["toast"]["text"] == (
        "“photo.png” was not added: PDF, HTML, Markdown and text files can be read."
    )
    driver.do("files", files=[PHOTO, PHOTO | {"url": "blob:4", "name": "folder"}])
    assert driver.state["toast"]["text"].startswith("2 files were not added")
    assert len(requests(driver)) == 1


def test_a_hint_is_drawn_while_files_are_over_the_panel(driver: Driver) -> None:
    driver.do("view", value="chat")
    driver.do("drag", over=True)
    assert "Drop PDF, HTML, Markdown or text files" in text_of(driver.shown("drop")[0])
    driver.do("drag", over=False)
    assert driver.shown("drop") == []
    driver.do("files", files=[NOTES])
    assert states(driver) == ["waiting"]


def test_of_a_saved_file_the_saved_text_is_opened() -> None:
    driver = Driver().ready(report())
    driver.do("view", value="pages")
    (effect,) = driver.do("open_page", url="file:Report.PDF")
    assert (effect[0], effect[1].partition("#")[0]) == ("open", "viewer.html")


def test_a_file_that_is_not_saved_any_more_says_so() -> None:
    driver = Driver().ready()
    effects = driver.do("open_page", url="file:Report.PDF")
    assert "open" not in [effect[0] for effect in effects]
    assert driver.state["toast"]["text"].startswith("Only the text of this file is kept")


def test_rows_of_files_survive_that_everything_is_removed_and_brought_back(driver: Driver) -> None:
    driver.do("files", files=[REPORT])
    driver.done(requests(driver)[0], row("added", report()))
    driver.do("clear")
    stats = {"n_pages": 0, "n_chunks": 0, "n_vectors": 0, "size_bytes": 0, "model": "", "schema_version": 1}
    driver.done(driver.last("remove_all"), stats)
    assert driver.shown("file-row") == []
    driver.press("undo")
    driver.done(driver.last("restore_all"), stats)
    driver.done(driver.last("library"), [report()])
    assert [node[1]["data-source"] for node in driver.shown("library-row")] == [SOURCE]
