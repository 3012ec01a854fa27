"""The library as files: export, import with a look before, backups, removing everything."""

IMPORT_MODES = ("merge", "replace")

RECORDS: dict = {
    # times in ms since the epoch
    "Backup": {"name": "str", "made_at": "float", "size_bytes": "int"},
    "DataState": {
        "backups": ("list", "Backup"),  # newest first
        "n_lost": "int",  # pages that were there before the browser cleared the library; 0: nothing was lost
        "can_undo": "bool",  # the last import
        "stats": ("optional", "Stats"),  # null: the library cannot be opened
    },
    # a file for the panel to hand over: `name` of a file in the library's folder, `file_name` for the reader
    "Export": {"name": "str", "file_name": "str", "size_bytes": "int", "n_pages": "int", "n_threads": "int"},
    "ImportCounts": {"added": "int", "newer": "int", "older": "int", "same": "int", "only_here": "int"},
    # what a file has beside what is here
    "ImportReport": {
        "pages": "ImportCounts",
        "threads": "ImportCounts",
        "damaged": ("list", "str"),  # titles of pages and threads that cannot be used, the first of them
        "n_damaged": "int",
        "written_at": "float",  # 0: it does not tell
        "program": "str",  # the version that wrote it, "" when it does not tell
        "schema_version": "int",
        "vectors": "bool",  # its vectors are of the model in use
        "settings": "bool",  # it has settings
    },
    "Imported": {
        "n_written": "int",
        "settings": ("optional", "Settings"),  # those of the file, when they were asked for
        "stats": "Stats",
    },
}

REQUESTS: dict = {
    "data_state": {},
    "data_seen": {},  # the reader knows that pages were lost
    "export_library": {},
    # look at a file: at a blob URL that the panel made and revokes afterwards, or a backup by its name
    "look_at_import": {"url": "str", "backup": "str"},
    # take what was looked at last; before it, what is here is kept for `undo_import`
    "take_import": {"mode": ("enum",) + IMPORT_MODES, "settings": "bool"},
    "drop_import": {},  # forget what was looked at
    "undo_import": {},
    "back_up": {},
    "wipe": {},  # everything that is stored; the engine starts anew
}

RESULTS: dict = {
    "data_state": "DataState",
    "data_seen": "DataState",
    "export_library": "Export",
    "look_at_import": "ImportReport",
    "take_import": "Imported",
    "drop_import": {},
    "undo_import": "Imported",
    "back_up": "DataState",
    "wipe": {"left": ("list", "str")},  # what could not be removed
}

DEFAULTS: dict = {"look_at_import": {"url": "", "backup": ""}}
EVENTS: dict = {}
