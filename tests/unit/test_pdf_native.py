"""PDF files on the command line: places as the file has them, and a plain refusal of what cannot be read."""

import json
from pathlib import Path

import pytest

from pdf_writer import HEIGHT, Text, paragraph, write_pdf
from tabwise.adapters.native.pdf import is_pdf, read_pdf
from tabwise.cli import main
from tabwise.cli_session import NOTHING, OK
from tabwise.core.page.pdf.page import build_pdf_page
from tabwise.errors import InputError

pytestmark = pytest.mark.native

LOCKED = Path(__file__).parents[1] / "browser" / "pages" / "pdf" / "locked.pdf"  # password: secret
FIRST = (
    "The barrage on the Rance was opened on 26 November 1966 and",
    "is the oldest large tidal power station.",
)
SECOND = (
    "Its 24 turbines turn in both directions and give 240 megawatts",
    "when the tide is at its strongest.",
)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    pages = [
        [Text(72, 740, "Tidal power", 20, "bold"), *paragraph(72, 700, *FIRST)],
        [Text(72, 740, "Turbines", 20, "bold"), *paragraph(72, 700, *SECOND)],
    ]
    path = tmp_path / "report.pdf"
    path.write_bytes(write_pdf(pages, title="Power from the tide", language="en-GB"))
    return path


def test_text_stands_where_the_file_puts_it(report: Path) -> None:
    capture = read_pdf(report, max_chars=10_000)
    assert (capture.title, capture.language, capture.n_pages) == ("Power from the tide", "en-GB", 2)
    page = capture.pages[0]
    assert (page.number, page.width, page.height) == (1, 612.0, 792.0)
    heading = page.items[0]
    assert (heading.text, heading.x, heading.size, heading.angle) == ("Tidal power", 72.0, 20.0, 0.0)
    assert heading.baseline == pytest.approx(HEIGHT - 740)
    # Widths of Helvetica-Bold in thousandths, from its font metrics.
    widths = {"T": 611, "i": 278, "d": 611, "a": 556, "l": 278, " ": 278, "p": 611, "o": 611, "w": 778}
    widths |= {"e": 556, "r": 389}
    assert heading.width == pytest.approx(20 * sum(widths[char] for char in "Tidal power") / 1000, abs=0.5)


def test_a_file_becomes_a_page_with_numbers(report: Path) -> None:
    page = build_pdf_page(read_pdf(report, max_chars=10_000), 0.0)
    assert page.text == "\n".join(["Tidal power", " ".join(FIRST), "Turbines", " ".join(SECOND)])
    assert page.page_number(page.text.index("240 megawatts")) == 2


def test_text_at_an_angle_tells_its_angle(tmp_path: Path) -> None:
    path = tmp_path / "turned.pdf"
    path.write_bytes(write_pdf([[Text(300, 300, "upwards", angle=90), Text(72, 72, "level ground")]]))
    upwards, level = sorted(read_pdf(path, max_chars=99).pages[0].items, key=lambda item: item.angle)
    assert (upwards.text, upwards.angle) == ("upwards", -90.0)
    assert upwards.width == pytest.approx(11 * 3.779, abs=0.1)  # font metrics
    assert level.angle == 0.0


def test_chinese_without_an_embedded_font_is_read(tmp_path: Path) -> None:
    path = tmp_path / "chinese.pdf"
    text = "法国的朗斯潮汐电站是世界上第一座大型潮汐发电站。"
    path.write_bytes(write_pdf([[Text(72, 700, text, font="chinese")]]))
    assert build_pdf_page(read_pdf(path, max_chars=99), 0.0).text == text


def test_reading_stops_at_the_page_where_there_is_enough(report: Path) -> None:
    capture = read_pdf(report, max_chars=20)
    assert (len(capture.pages), capture.n_pages) == (1, 2)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (write_pdf([[]]), "page_has_no_text"),
        (LOCKED.read_bytes(), "page_locked"),
        (b"%PDF-1.7\nnothing of the kind", "page_unreadable"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        build_pdf_page(read_pdf(path, max_chars=99), 0.0)
    assert caught.value.code == code


def test_a_pdf_is_known_by_its_first_bytes(tmp_path: Path, report: Path) -> None:
    (tmp_path / "other.pdf").write_text("About %PDF-1.7", "utf-8")
    (tmp_path / "blank.txt").write_bytes(b"\xef\xbb\xbf\r\n" + report.read_bytes())
    assert is_pdf(report)
    assert is_pdf(tmp_path / "blank.txt")
    assert not is_pdf(tmp_path / "other.pdf")
    assert not is_pdf(tmp_path / "missing.pdf")


def test_an_answer_names_the_page(
    report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABWISE_LIBRARY", str(tmp_path / "library.db"))
    question = "How many megawatts do the turbines give?"
    assert main(["ask", question, str(report), "--json"]) == OK
    answer = json.loads(capsys.readouterr().out)
    assert "240 megawatts" in answer["sentences"][0]["text"]
    assert answer["citations"][0]["page_number"] == 2
    assert main(["ask", question]) == OK
    assert f"[1] Power from the tide, p. 2 — {report.as_uri()}" in capsys.readouterr().out


def test_a_locked_file_fails_alone(
    report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABWISE_LIBRARY", str(tmp_path / "library.db"))
    assert main(["index", str(LOCKED), str(report), "--json"]) == NOTHING
    said = capsys.readouterr()
    assert [row["state"] for row in json.loads(said.out)] == ["failed", "added"]
    assert "locked with a password" in said.err
