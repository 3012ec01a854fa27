"""Files to captures: what a person would see of them, and a plain refusal of what is no text."""

import os
from pathlib import Path

import pytest

from tabwise.adapters.files.html import MAX_CHARS, parse_html, read_file
from tabwise.adapters.files.inline_style import hides
from tabwise.core.model import Capture
from tabwise.core.page.blocks import build_page
from tabwise.core.page.capture import walk
from tabwise.errors import InputError

pytestmark = pytest.mark.native

SENTENCE = "The barrage on the Rance was opened in 1966."
FRENCH = "L'usine marémotrice de la Rance, inaugurée en 1966, est située près de Saint-Malo."
RUSSIAN = "Приливная электростанция на реке Ранс была открыта в 1966 году."


def text_of(capture: Capture) -> str:
    return build_page(capture, None, 0.0).text


def read(html: str) -> str:
    return (
        text_of(parse_html(f"<p>{SENTENCE}</p>{html}", url="file:///a.html")).removeprefix(SENTENCE).strip()
    )


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>secret</script>",
        "<style>secret</style>",
        "<template><p>secret</p></template>",
        "<noscript>secret</noscript>",
        "<!-- secret -->",
        "<?php secret ?>",
        "<p hidden>secret</p>",
        '<p style="display:none">secret</p>',
        '<p style="color: red; Display : NONE !important">secret</p>',
        '<p style="visibility:hidden">secret</p>',
        '<div style="opacity:0"><p>secret</p></div>',
        "<dialog>secret</dialog>",
        "<button>secret</button>",
        "<select><option>secret</option></select>",
        "<textarea>secret</textarea>",
        '<input value="secret">',
        '<img alt="secret" src="x">',
        "<svg><title>secret</title></svg>",
        "<iframe>secret</iframe>",
    ],
)
def test_what_no_one_sees_is_left_out(hidden: str) -> None:
    assert read(hidden) == ""


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        ('<p aria-hidden="true">shown</p>', "shown"),
        ("<details><summary>Fold</summary><p>shown</p></details>", "Fold\nshown"),
        ("<dialog open>shown</dialog>", "shown"),
        ('<p hidden="until-found">shown</p>', "shown"),
        ("<h2><button>Question</button></h2>", "Question"),
        ('<p style="opacity:0.5;display:block">shown</p>', "shown"),
        ("<script>x</script>shown", "shown"),
        ("<p>a<!-- c -->b</p>", "ab"),
        ("<pre>\n a\n  b</pre>", " a\n  b".strip("\n")),
        ("<listing>a\n  b</listing>", "a\n  b"),
        ("<p>broken <b>mark<p>up", "broken mark\nup"),
    ],
)
def test_what_is_seen_stays(seen: str, text: str) -> None:
    assert text_of(parse_html(f"<p>{SENTENCE}</p>{seen}", url="file:///a.html")) == f"{SENTENCE}\n{text}"


@pytest.mark.parametrize(
    ("style", "is_hidden"),
    [
        ("font-size:0", True),
        ("font-size: 1px", True),
        ("font-size:12px", False),
        ("font-size:0.9em", False),
        ("opacity:0.00", True),
        ("opacity:1", False),
        ("position:absolute;left:-9999px", True),
        ("left:-5px", False),
        ("text-indent:-9999px", True),
        ("transform:scale(0)", True),
        ("transform:scale(0.9)", False),
        ("clip-path:inset(50%)", True),
        ("clip: rect(0 0 0 0)", True),
        ("clip: rect(1px, 1px, 1px, 1px)", True),
        ("width:1px;height:1px;overflow:hidden", True),
        ("width:1px", False),
        ("overflow:hidden;width:100%", False),
        ("content-visibility:hidden", True),
        ("", False),
        ("nonsense", False),
    ],
)
def test_inline_style_hides(style: str, is_hidden: bool) -> None:
    assert hides(style) == is_hidden


@pytest.mark.parametrize("tag", ["main", "section", "article", "header", "details", "x-page", "p"])
def test_a_page_that_does_not_say_where_its_body_begins_is_read(tag: str) -> None:
    html = f"<title>Tides</title><meta charset=utf-8><{tag}><p>{SENTENCE}</p></{tag}>"
    assert text_of(parse_html(html, url="file:///a.html")) == SENTENCE


def test_head_tells_title_language_and_canonical_address() -> None:
    capture = parse_html(
        '<html lang="fr"><head><title> Le\n barrage </title>'
        '<link rel="canonical" href="https://example.com/rance"></head><body>x',
        url="https://example.com/rance?page=1",
    )
    assert (capture.title, capture.language) == ("Le barrage", "fr")
    assert capture.canonical_url == "https://example.com/rance"
    assert "Le barrage" not in "".join(item for _, item in walk(capture.root) if isinstance(item, str))


@pytest.mark.parametrize("html", ["", "  ", "<!-- x -->", "plain", "</p>", "<a><b><a>", "\0"])
def test_every_string_parses(html: str) -> None:
    assert parse_html(html, url="file:///a.html").root.tag == "body"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (f"<p>{FRENCH}".encode("cp1252"), FRENCH),
        (f"<p>{RUSSIAN}".encode("koi8-r"), RUSSIAN),
        (f"<meta charset=iso-8859-1><p>Ça coûte 5 €. {SENTENCE}".encode("cp1252"), "Ça coûte 5 €."),
        (f'<meta content="text/html; charset=koi8-r"><p>{RUSSIAN}'.encode("koi8-r"), RUSSIAN),
        (f"<meta charset=shift_jis><p>潮力発電。{SENTENCE}".encode("shift_jis"), "潮力発電。"),
        (f"<p>Grüße. {SENTENCE}".encode("utf-8-sig"), "Grüße."),
        (f"<p>Grüße. {SENTENCE}".encode("utf-16"), "Grüße."),
        (f"<meta charset=utf-16><p>Grüße. {SENTENCE}".encode(), "Grüße."),
        (f"<meta charset=nonsense><p>Grüße. {SENTENCE}".encode(), "Grüße."),
        (f'<?xml version="1.0" encoding="utf-8"?><html><p>Grüße. {SENTENCE}'.encode(), "Grüße."),
    ],
)
def test_encoding_is_found(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(data)
    assert text_of(read_file(path)).startswith(text)


def test_unreadable_files_are_refused_with_their_path(tmp_path: Path) -> None:
    cases = {
        "empty.html": (b"", "page_empty"),
        "zero.txt": (b"text\0text", "page_unreadable"),
        "image.html": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "page_unreadable"),
        "paper.pdf": (b"%PDF-1.7\n% text follows", "page_unreadable"),
        "noise.txt": (bytes(range(1, 32)) * 30, "page_unreadable"),
    }
    for name, (data, code) in cases.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(InputError) as caught:
            read_file(path)
        assert (name, caught.value.code, caught.value.subject) == (name, code, str(path))


@pytest.mark.parametrize(("name", "code"), [("missing.html", "file_missing"), (".", "page_unreadable")])
def test_missing_file_and_folder_are_refused(tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        read_file(tmp_path / name)
    assert caught.value.code == code


def test_random_bytes_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "noise.html"
    path.write_bytes(os.urandom(5000))
    with pytest.raises(InputError) as caught:
        read_file(path)
    assert caught.value.code == "page_unreadable"


def test_ten_megabytes_are_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "large.html"
    path.write_text(f"<title>Large</title><p>{SENTENCE * 230}</p>" * 1000, encoding="utf-8")
    capture = read_file(path)
    n_chars = sum(len(item) for _, item in walk(capture.root) if isinstance(item, str))
    assert n_chars == capture.n_read_chars == MAX_CHARS
    assert capture.n_total_chars >= 10_000_000


def test_limit_cuts_within_a_text(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<p>{SENTENCE}</p><p>{SENTENCE}</p>", encoding="utf-8")
    capture = read_file(path, max_chars=len(SENTENCE) + 3)
    assert text_of(capture) == f"{SENTENCE}\nThe"
    assert (capture.n_total_chars, capture.n_read_chars) == (2 * len(SENTENCE), len(SENTENCE) + 3)


def test_address_of_a_file_is_its_uri(tmp_path: Path) -> None:
    path = tmp_path / "my page.html"
    path.write_text(SENTENCE, encoding="utf-8")
    assert read_file(path).url == path.as_uri()


MARKDOWN = """# Tidal *range*

The range is largest
at spring tide.

- neap
  is small
    - inner item
1. first

```python
# not a heading
x = 1
```

> quoted
> twice

| Site | Power |
|------|------:|
| Rance | 240 MW |

---
End #5 stays.
"""


def blocks_of(capture: Capture) -> list[tuple[str, int, str]]:
    page = build_page(capture, None, 0.0)
    return [(block.kind.value, block.level, page.text[block.start : block.end]) for block in page.blocks]


def test_markdown_structure_is_read(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    assert blocks_of(read_file(path)) == [
        ("heading", 1, "Tidal *range*"),
        ("paragraph", 0, "The range is largest at spring tide."),
        ("item", 0, "neap is small"),
        ("item", 2, "inner item"),
        ("item", 0, "first"),
        ("code", 0, "# not a heading\nx = 1"),
        ("quote", 0, "quoted twice"),
        ("row", 1, "Site\tPower"),
        ("row", 0, "Rance\t240 MW"),
        ("paragraph", 0, "End #5 stays."),
    ]
    assert read_file(path).title == "Tidal *range*"


def test_plain_text_has_paragraphs_and_items_only(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("# no heading here\nwrapped line\n\n```\nis text\n\n- an item\n", encoding="utf-8")
    assert blocks_of(read_file(path)) == [
        ("paragraph", 0, "# no heading here wrapped line"),
        ("paragraph", 0, "``` is text"),
        ("item", 0, "an item"),
    ]
    assert read_file(path).title == "notes.txt"


def test_text_file_that_holds_a_page_is_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text(f"<!-- saved --><!DOCTYPE html><p>{SENTENCE}</p>", encoding="utf-8")
    assert text_of(read_file(path)) == SENTENCE
