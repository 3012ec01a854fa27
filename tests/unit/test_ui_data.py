"""Export, import, backups and wiping in the settings: a look before, a word typed, a way back."""

from typing import Any

import pytest

from tabwise.protocol.settings import default_settings
from tabwise.ui.state import put
from ui_driver import STATS, Driver, page, text_of

NONE = {"added": 0, "newer": 0, "older": 0, "same": 0, "only_here": 0}
REPORT: dict[str, Any] = {
    "pages": NONE | {"added": 12, "only_here": 3},
    "threads": NONE | {"newer": 2},
    "damaged": ["A broken page"],
    "n_damaged": 1,
    "written_at": 1_700_000_000_000.0,
    "program": "0.1.0",
    "schema_version": 1,
    "vectors": True,
    "settings": True,
}
KEPT = {
    "backups": [{"name": "backup-1.db", "made_at": 1_700_000_000_000.0, "size_bytes": 2_000_000}],
    "n_lost": 0,
    "can_undo": True,
    "stats": None,
}


@pytest.fixture
def driver() -> Driver:
    driver = Driver().ready(page("https://a.example/"))
    driver.state = put(driver.state, page="settings")
    return driver


def names(effects: list[tuple[Any, ...]]) -> list[str]:
    return [effect[0] for effect in effects]


def looked(driver: Driver, **more: Any) -> None:
    """A file was chosen and looked at."""
    driver.do("import_files", name="", files=[{"name": "x.db", "url": "blob:x", "size_bytes": 1}])
    driver.done(driver.last("look_at_import"), REPORT | more)


def test_the_exported_file_is_handed_over_from_the_disk(driver: Driver) -> None:
    driver.press("export")
    made = {"name": "export.db", "file_name": "tabwise.db", "size_bytes": 1, "n_pages": 1, "n_threads": 0}
    effects = driver.done(driver.last("export_library"), made)
    assert ("give_file", "export.db", "tabwise.db") in effects


def test_a_chosen_file_is_looked_at_and_let_go(driver: Driver) -> None:
    driver.do("import_files", name="", files=[{"name": "x.db", "url": "blob:x", "size_bytes": 1}])
    asked = driver.last("look_at_import")
    assert (asked["url"], asked["backup"]) == ("blob:x", "")
    effects = driver.done(asked, REPORT)
    assert ("release", "blob:x") in effects
    assert ("focus", "import-report") in effects
    shown = text_of(driver.shown("import-report")[0])
    assert "12" in shown
    assert "A broken page" in shown
    assert not [request for request in driver.requests() if request["type"] == "take_import"]


def test_settings_are_taken_only_when_they_are_ticked(driver: Driver) -> None:
    looked(driver)
    driver.press("import-take")
    assert (driver.last("take_import")["mode"], driver.last("take_import")["settings"]) == ("merge", False)


def test_what_was_imported_can_be_undone(driver: Driver) -> None:
    looked(driver)
    driver.do("import_mode", value="replace")
    driver.do("import_settings", checked=True)
    driver.press("import-take")
    asked = driver.last("take_import")
    assert (asked["mode"], asked["settings"]) == ("replace", True)
    settings = default_settings() | {"never_leaves": ["bank.example"]}
    effects = driver.done(asked, {"n_written": 14, "settings": settings, "stats": STATS})
    assert "save_settings" in names(effects)
    assert driver.state["settings"]["never_leaves"] == ["bank.example"]
    assert driver.last("library")
    driver.press("undo")
    assert driver.last("undo_import")


def test_a_file_that_cannot_be_used_is_said_to_be_so(driver: Driver) -> None:
    driver.do("import_files", name="", files=[{"name": "x.db", "url": "blob:x", "size_bytes": 1}])
    error = {"code": "import_foreign", "subject": "", "message": "", "retryable": False}
    effects = driver.event(driver.last("look_at_import"), "error", **error)
    assert ("release", "blob:x") in effects
    assert "not a library" in text_of(driver.shown("error")[0])


def test_a_backup_is_looked_at_like_a_file(driver: Driver) -> None:
    driver.do("back_up")
    driver.done(driver.last("back_up"), KEPT)
    assert "14 Nov 2023" in text_of(driver.shown("backup")[0])
    driver.press("backup-look")
    assert (driver.last("look_at_import")["url"], driver.last("look_at_import")["backup"]) == (
        "",
        "backup-1.db",
    )


def test_nothing_is_wiped_before_the_word_is_typed(driver: Driver) -> None:
    driver.press("wipe")
    assert driver.shown("wipe-yes")[0][1]["disabled"]
    driver.do("wipe_typed", value="wip")
    driver.do("wipe")
    assert not [request for request in driver.requests() if request["type"] == "wipe"]
    driver.do("wipe_typed", value=" Wipe ")
    driver.press("wipe-yes")
    assert driver.done(driver.last("wipe"), {"left": []}) == [("reload",)]


def test_what_could_not_be_wiped_is_named(driver: Driver) -> None:
    driver.press("wipe")
    driver.do("wipe_typed", value="wipe")
    driver.press("wipe-yes")
    driver.done(driver.last("wipe"), {"left": ["models"]})
    assert "models" in text_of(driver.draw())


def test_a_library_that_the_browser_cleared_is_told_once() -> None:
    driver = Driver().ready()
    driver.do("lost_seen")
    driver.done(driver.last("data_seen"), KEPT | {"n_lost": 2})
    assert "2 saved pages" in text_of(driver.shown("lost")[0])
    driver.press("lost-seen")
    driver.done(driver.last("data_seen"), KEPT)
    assert driver.shown("lost") == []
