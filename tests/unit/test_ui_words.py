"""Words: every code, verdict, stage and state has its sentence in every language, and none is unused."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabwise.adapters.native.messages import messages
from tabwise.core.agent.steps import StepState
from tabwise.core.agent.tools import TOOLS
from tabwise.core.answers.answer import FALLBACK_CODES
from tabwise.core.answers.receipt import Change
from tabwise.core.chat import Role
from tabwise.protocol import schema
from tabwise.protocol.codes import ERROR_CODES
from tabwise.protocol.rules import CATEGORIES
from tabwise.protocol.tables import answers
from tabwise.protocol.tables.data import IMPORT_MODES
from tabwise.protocol.tables.doctor import DOCTOR
from tabwise.protocol.tables.egress import PURPOSES
from tabwise.protocol.tables.settings import PROVIDER_KINDS
from tabwise.ui import words
from tabwise.ui.dates import SPANS
from tabwise.ui.guide import STEPS
from tabwise.ui.state import MANNERS
from tabwise.ui.view.sentences import FRESH_ICONS, VERDICT_ICONS
from tabwise.ui.view.settings import SECTIONS
from tabwise.ui.view.settings.appearance import APPEARANCES, TOOLBAR
from tabwise.ui.view.settings.doctor import STATE_ICONS
from tabwise.ui.view.settings.shortcuts import PANEL_KEYS
from tabwise.ui.voice import STATES as VOICE_STATES

ROOT = Path(__file__).parents[2]
UI = Path(words.__file__).parent
EXTENSION = ROOT / "extension"
COMMANDS = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))["commands"]
TABLES = {
    language: {key: entry["message"] for key, entry in json.loads(messages(language)).items()}
    for language in words.LANGUAGES
}
ENGLISH = TABLES["en"]
AGENT_ENDS = tuple(
    f"agent_{why}" for why in ("no_model", "time", "steps", "repeats", "silent", "unread", "filtered")
)
BUILT_KEYS = {
    *(f"engine_{state}" for state in schema.NOTICES["engine"]["state"][1:]),
    *(f"stage_{stage}" for stage in schema.STAGES),
    *(f"count_{verdict}" for verdict in schema.VERDICTS),
    *(
        f"unit_{unit}"
        for unit in (
            "chunks",
            "sentences",
            "searches",
            "pages",
            "questions",
            "parts",
            "steps",
            "interests",
            "megabytes",
            "files",
        )
    ),
    *(
        f"reason_{reason}"
        for reason in (
            "number",
            "date",
            "name",
            "quote",
            "negation",
            "opposite",
            "comparison",
            "link",
            "language",
            "missing",
        )
    ),
    *(f"doctor_{topic}_{reason}" for topic, reasons in DOCTOR.items() for reason in reasons),
    *(f"doctor_do_{action}" for reasons in DOCTOR.values() for _, action in reasons.values() if action),
    "engine_extractive",
    *(f"manner_{manner}" for manner in MANNERS),
    *(f"fresh_{state}" for state in FRESH_ICONS),
    *(f"notice_{kind}" for kind in answers.ANSWER_NOTICES),
    *(f"fallback_{code}" for code in (*FALLBACK_CODES, *AGENT_ENDS, "egress_refused")),
    *(f"plan_{kind}" for kind in answers.PLANS),
    *(f"dropped_{reason}" for reason in answers.DROP_REASONS),
    *(f"call_{purpose}" for purpose in ("plan", "answer", "summary", "repair", "agent", "weigh")),
    *(f"role_{role}" for role in Role),
    *(f"replay_{change}" for change in Change),
    *(f"step_{state}" for state in StepState),
    *(f"tool_{tool.name}" for tool in TOOLS),
    *(f"receipt_{part}" for part in ("plan", "search", "budget", "calls", "verdicts", "versions")),
    *(f"rank_{ranking}" for ranking in ("words", "meaning", "together")),
    *(f"engine_{engine}" for engine in ("bundled", "prompt_api")),
    *(
        f"writer_{engine}{more}"
        for engine in ("extractive", "bundled", "prompt_api")
        for more in ("", "_more")
    ),
    "writer_summarizer",
    *(f"agent_{limit}_option_{n}" for limit in ("steps", "seconds") for n in ("one", "other")),
    *(f"model_{said}" for said in ("absent", "here", "on_webgpu", "on_wasm")),
    *(f"kind_{kind}" for kind in PROVIDER_KINDS),
    *(f"service_{box}" for box in ("label", "address", "model")),
    *(f"address_{fault}" for fault in ("empty", "long", "scheme", "host", "secret")),
    *(f"purpose_{purpose}" for purpose in PURPOSES),
    *(f"doctor_state_{state}" for state in STATE_ICONS),
    *(f"never_{rule}" for rule in ("own", *CATEGORIES)),
    *(f"category_{name}{more}" for name in CATEGORIES for more in ("", "_more")),
    *(f"rule_{fault}" for fault in ("empty", "long", "ascii", "wildcard", "host")),
    *(f"section_{name}" for name, _ in SECTIONS),
    *(f"{line}_more" for line in ("auto_summaries", "summary_writer", "interests")),
    *(f"interest_{fault}" for fault in ("empty", "long", "known", "full")),
    *(f"hint_{flag}" for flag in ("interesting", "closable")),
    *(
        f"because_{why}"
        for why in ("near_interest", "no_interest_near", "unused_one", "unused_other", "saved")
    ),
    *(
        f"{part}_more"
        for part in (
            "categories",
            "own_rules",
            "granted_sites",
            "mode",
            "measure",
            "embedder_list",
            "own_embedder",
            "leaves_totals",
            "leaves_agreed",
            "never_leaves",
            "model_folder",
        )
    ),
    *(f"{line}_more" for line in ("k_pref", "threads_pref", "strict")),
    *(f"{part}_more" for part in ("export", "import", "backups", "wipe", "daily_backup", "import_settings")),
    *(f"{act}_act" for act in ("export", "import", "back_up", "wipe")),
    *(f"import_{place}" for place in ("added", "newer", "older", "same", "only_here")),
    *(f"import_{mode}{more}" for mode in IMPORT_MODES for more in ("", "_more")),
    "shelf_site",
    "shelf_days",
    *(f"mode_{mode}{more}" for mode in schema.FUSION_MODES for more in ("", "_more")),
    *(f"appearance_{look}" for look in APPEARANCES),
    *(f"toolbar_{place}" for place in TOOLBAR),
    *(f"voice_{state}" for state in VOICE_STATES),
    *(f"voice_{line}_more" for line in ("on", "key")),
    *(f"guide_{step}{more}" for step in STEPS for more in ("", "_more")),
    *(f"guide_{step}_act" for step in STEPS if step not in ("add", "open")),
    *(f"command_{name}" for name in COMMANDS),
    *(f"{key}_name" for key in PANEL_KEYS),
    *(
        f"task_{task}"
        for task in (
            "reembed",
            "self_test",
            "export_library",
            "look_at_import",
            "take_import",
            "undo_import",
            "back_up",
            "wipe",
            "qdrant_sync",
            "embedder_adopt",
            "embedder_download",
            "embedder_use",
            "model_download",
            "model_measure",
            "model_import",
        )
    ),
    *(f"qdrant_{box}" for box in ("address", "collection")),
    *(f"key_{said}_{place}" for said in ("is", "keep") for place in ("session", "kept")),
    "qdrant_on_more",
    *(f"span_{days}" for days in (*SPANS[1:], "own", SPANS[0])),
    *(f"date_{end}{day}" for end in ("from", "to") for day in ("", "_day")),
    *(f"{name}_{month}" for name in ("month", "month_name") for month in range(1, 13)),
    *(f"thread_{how}" for how in ("copy", "save", "print")),
    *(f"past_{days}" for days in ("pinned", "today", "yesterday", "week")),
    *(f"version_{place}" for place in ("before", "after")),
    *(f"rule_is_{effect}" for effect in ("allow", "deny")),
    *(f"error_{code}{more}" for code in ERROR_CODES for more in ("", "_action")),
    *(f"file_error_page_{fault}" for fault in ("empty", "too_short", "unreadable", "set_aside")),
}
ACTIONS = {
    "dismiss", "retry", "edit", "add", "refresh", "pages", "reset", "open", "allow", "reload",
    "reembed", "read_once", "confirm", "wake", "selection", "settings", "apart",
}  # fmt: skip
# attributes whose value is read by a person
READ = {"aria-label", "title", "placeholder", "alt", "aria-valuetext"}


@pytest.fixture
def spoken() -> Iterator[None]:
    """Leave the other tests their English."""
    yield
    words.load(messages())


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"{(\w*)}", text))


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_table_has_the_same_keys(language: str) -> None:
    assert list(TABLES[language]) == list(ENGLISH)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_table_is_what_the_browser_reads(language: str) -> None:
    for key, entry in json.loads(messages(language)).items():
        assert re.fullmatch(r"[a-z0-9_]+", key)
        assert set(entry) <= {"message", "description"}
        assert "$" not in entry["message"]  # the browser would fill it in
        assert entry["message"]


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_text_has_the_names_of_the_english_one(language: str) -> None:
    for key, text in TABLES[language].items():
        # a text about one thing may do without the number
        optional = {"n"} if key.endswith("_one") else set()
        assert placeholders(text) - optional == placeholders(ENGLISH[key]) - optional, key


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_plural_is_never_without_its_singular(language: str) -> None:
    ones = {key.removesuffix("_one") for key in TABLES[language] if key.endswith("_one")}
    others = {key.removesuffix("_other") for key in TABLES[language] if key.endswith("_other")}
    assert others - ones == set()
    assert {key for key in ones - others if f"{key}_other" not in ENGLISH} == {"add"}  # the button "Add"


@pytest.mark.parametrize("language", sorted(set(words.LANGUAGES) - {"en"}))
def test_a_language_is_translated(language: str) -> None:
    same = {key for key in ENGLISH if TABLES[language][key] == ENGLISH[key] and " " in ENGLISH[key]}
    alike = {"key_question_name", "key_find_name", "announce_file_failed", "about_version", "day", "act_on"}
    assert same <= alike | {"month_year"}


def test_every_error_code_has_a_sentence_and_an_action() -> None:
    assert set(words.REMEDIES) == set(ERROR_CODES)
    assert set(words.REMEDIES.values()) <= ACTIONS


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("code", sorted(ERROR_CODES))
def test_an_error_is_one_sentence_and_one_short_action(code: str, language: str) -> None:
    sentence = TABLES[language][f"error_{code}"]
    # a dot between digits stands in a number
    assert re.fullmatch(r"[A-Z](?:[^.!?]|(?<=\d)\.(?=\d))+\.", sentence)
    assert len(TABLES[language][f"error_{code}_action"].split()) <= 8


def test_every_verdict_has_words_and_an_icon_of_its_own() -> None:
    assert all(verdict in ENGLISH for verdict in schema.VERDICTS)
    assert set(VERDICT_ICONS) == set(schema.VERDICTS)
    assert len(set(VERDICT_ICONS.values())) == len(schema.VERDICTS)


def test_every_built_key_exists() -> None:
    assert set(ENGLISH) >= BUILT_KEYS


def test_every_key_that_is_said_exists() -> None:
    said = set()
    for path in UI.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
                said |= set(literals(node.args[0]))
    whole = {key for key in said if not key.endswith("_") and not key.startswith("_")}
    assert {key for key in whole if key not in ENGLISH and f"{key}_other" not in ENGLISH} == set()


def test_every_sentence_is_used() -> None:
    sources = [*UI.rglob("*.py"), ROOT / "app" / "tabwise" / "cli.py"]
    python = "".join(path.read_text("utf-8") for path in sources)
    browser = "".join(
        path.read_text("utf-8")
        for pattern in ("*.html", "manifest.json", "js/*.js", "js/sw/*.js")
        for path in EXTENSION.glob(pattern)
    )
    used = set(re.findall(r'"([a-z0-9_]+)"', python + browser)) | set(re.findall(r"__MSG_(\w+)__", browser))
    stems = {key: re.sub(r"_(one|other)$", "", key) for key in ENGLISH}
    assert {key for key, stem in stems.items() if not {key, stem} & (used | BUILT_KEYS)} == set()


def test_no_page_holds_a_sentence_of_its_own() -> None:
    shown = [path for path in EXTENSION.glob("*.html") if path.name != "offscreen.html"]
    for path in shown:
        body = re.sub(r"<!--.*?-->|<title>Tabwise</title>", "", path.read_text("utf-8"), flags=re.S)
        assert re.sub(r"<[^>]*>", "", body).strip() == "", path.name
        assert not re.search(r'\b(aria-label|placeholder|title|alt)="[^"]+"', body), path.name


@pytest.mark.parametrize("path", sorted((UI / "view").glob("*.py")), ids=lambda path: path.stem)
def test_no_view_holds_a_sentence_of_its_own(path: Path) -> None:
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "h":
            found += [text for child in node.args[2:] for text in literals(child)]
        elif isinstance(node, ast.Dict):
            found += [
                text
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant) and key.value in READ
                for text in literals(value)
            ]
    assert [text for text in found if re.search(r"[^\W\d_]", text)] == []


def literals(node: ast.expr) -> list[str]:
    """The constants that an expression comes to: alone, joined to others or chosen among them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    if isinstance(node, ast.BinOp):
        return literals(node.left) + literals(node.right)
    if isinstance(node, ast.List):
        return [text for element in node.elts for text in literals(element)]
    return []


def test_numbers_choose_singular_and_plural() -> None:
    assert words.say("n_words", n=1) == "1 word"
    assert words.say("n_words", n=1234) == "1,234 words"
    assert words.say("n_words", n=0) == "0 words"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["12,345 words", "1,234 words"]),
        ("de", ["12.345 Wörter", "1.234 Wörter"]),
        ("es", ["12.345 palabras", "1234 palabras"]),
    ],
)
def test_numbers_are_written_as_the_language_does(language: str, said: list[str], spoken: None) -> None:
    words.load(messages(language))
    assert [words.say("n_words", n=n) for n in (12345, 1234)] == said
    assert words.language() == language


def test_what_a_table_lacks_is_said_in_english(spoken: None) -> None:
    words.load('{"locale": {"message": "de"}, "stop": {"message": "Halt"}}')
    assert (words.language(), words.say("stop"), words.say("undo")) == ("de", "Halt", "Undo")


def test_a_language_that_was_learnt_is_used_when_wanted(spoken: None) -> None:
    words.learn(messages("de"))
    assert words.language() == "en"
    words.use("de")
    assert (words.language(), words.say("undo")) == ("de", "Rückgängig")
    words.use("xx")
    assert (words.language(), words.say("undo")) == ("en", "Undo")


def test_braces_in_a_title_stay_as_they_are() -> None:
    assert words.say("removed", title="a {n} {title}") == "Removed “a {n} {title}”."


def test_a_value_from_right_to_left_keeps_to_itself_in_a_sentence_but_not_in_a_question() -> None:
    tide = "\u05d2\u05d0\u05d5\u05ea"
    assert words.say("removed", title=tide) == f"Removed “\u2068{tide}\u2069”."
    assert words.say("removed", title="Größe — €") == "Removed “Größe — €”."
    assert words.question("starter_definition", topic=tide) == f"What is “{tide}”?"


def test_a_verdict_tells_its_reasons() -> None:
    assert words.verdict_text("contradicted", ["number:60"]) == (
        "Contradicted by its source: it does not say 60"
    )
    assert words.verdict_text("supported", ["verbatim"]) == "Supported by its source"
    assert words.verdict_text("partly", ["missing:turbin", "missing:sea"]) == (
        "Partly supported by its source: part of this is not in it"
    )
    assert words.verdict_text("partly", ["unheard_of:x"]) == "Partly supported by its source"
