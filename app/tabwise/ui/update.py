"""update(state, event) → (state, effects): the one door through which the state changes.

An event is a dict with `type`, `id` (fresh and unique, for a request it may start), `now` (ms since the
epoch) and `offset_min` (from local time to UTC). An effect is a tuple the app performs:
    ("post", text) ("ensure",)                      to the engine
    ("grant", origins, event)                       ask for access to sites, then dispatch the event with
                                                    `granted`
    ("revoke", origins)                             give access to sites back
    ("wake", tab_id)                                load a sleeping tab again
    ("list_windows", every)                         list the tabs of every window, or of this one
    ("set_key", name, key, "session" or "kept") ("forget_key", name)
    ("save_settings", text) ("load_settings",) ("open_settings",) ("appearance", look)
    ("speak", language)                             say everything in another language
    ("save", name, media type, text)                save a text as a file
    ("keep_storage",) ("open_details",)             ask the browser to keep what is stored; open our page
    ("fetch_browser_model", "prompt_api" or "summarizer")
    ("listen", language) ("unlisten",) ("utter", text, language) ("hush",)  the microphone and the voice
    ("voice_key", code) ("voice_open", whether)     the key to talk on the page; how large the icon's frame is
    ("open_panel", window_id)                       open the side panel of a window, close the popup
    ("badge", text)                                 show a short text on the toolbar button for a moment
    ("print", "")                                   print the page once all is drawn
    ("timer", ms, event) ("copy", text) ("announce", text)
    ("focus", element id) ("scroll", element id) ("prevent",)
    ("refocus", element id)                         focus it if what had the focus is gone
    ("choose_files", input id) ("release", blob url)         ask for files, give the address of one back
    ("visit", url) ("close_tab", tab_id)            open a tab behind the others, then dispatch `visited`
    ("give_file", name, file name)                  save a file that the engine wrote beside the library
    ("focus_tab", tab_id, window_id) ("open", url) ("reload",)
    ("pdf", act, ...)                               what the PDF viewer shows (events/pdf.py)
Nothing is performed here and nothing is changed in place.
"""

from tabwise.ui.events import (
    access,
    adding,
    answers,
    catalogue,
    chat,
    clock,
    data,
    doctor,
    egress,
    embedders,
    engine,
    files,
    find,
    guide,
    hints,
    history,
    interest,
    keys,
    library,
    menu,
    models,
    narrowing,
    pages,
    pdf,
    qdrant,
    quick,
    saved,
    sections,
    services,
    shelf,
    summaries,
    threads,
    toast,
    voice,
)

TABLE: dict = {}
for _area in (
    engine,
    chat,
    answers,
    egress,
    embedders,
    narrowing,
    pages,
    find,
    adding,
    files,
    access,
    library,
    models,
    qdrant,
    catalogue,
    services,
    doctor,
    threads,
    history,
    menu,
    quick,
    saved,
    pdf,
    guide,
    voice,
    keys,
    sections,
    data,
    shelf,
    summaries,
    hints,
    interest,
    toast,
):
    TABLE.update(_area.TABLE)
TABLE.update(clock.TABLE)


def update(state: dict, event: dict) -> tuple:
    """Return the next state and the effects of `event`; KeyError on an unknown type."""
    state, effects = TABLE[event["type"]](state, event)
    return guide.follow(state, event, effects)
