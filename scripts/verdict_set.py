"""Check the set of judged sentences in tests/golden/verdicts, and its passages against their origins.

    python scripts/verdict_set.py [--data DIR] [--handbook DIR]

`--data` is the folder of the public collections (XQuAD lies in `xquad/`), `--handbook` a folder into which
the Debian package `debian-handbook` was unpacked. Origins that are not there are left out.
"""

import argparse
import html
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from tabwise.core.model import Verdict
from tabwise.eval.verdicts import ALTERED_CLASSES, HALVES, TRUE_CLASSES

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "golden" / "verdicts"
LICENCES = ("CC BY-SA 4.0", "CC BY-SA 3.0", "MIT", "Apache-2.0")
HANDBOOK_PAGES = Path("usr/share/doc/debian-handbook/html")

Row = dict[str, str]
Origin = Callable[[Row], str | None]


def faults(passages: list[Row], sentences: list[Row]) -> Iterator[str]:
    """What is wrong with the set itself."""
    by_id = {passage["id"]: passage for passage in passages}
    if len(by_id) != len(passages):
        yield "a passage id stands twice"
    halves: dict[str, str] = {}
    for passage in passages:
        if passage["licence"] not in LICENCES or passage["half"] not in HALVES or not passage["url"]:
            yield f"{passage['id']}: licence, half or address"
        if halves.setdefault(passage["page"], passage["half"]) != passage["half"]:
            yield f"{passage['page']}: in both halves"
    for number in (number for number, n in Counter(row["id"] for row in sentences).items() if n > 1):
        yield f"{number}: stands twice"
    for row in sentences:
        passage = by_id[row["passage"]]
        cited = passage["text"][int(row["start"]) : int(row["end"])]
        if not cited.strip() or int(row["end"]) > len(passage["text"]):
            yield f"{row['id']}: cites nothing"
        if row["class"] not in (*TRUE_CLASSES, *ALTERED_CLASSES) or row["expected"] not in list(Verdict):
            yield f"{row['id']}: class or verdict"
        if row["class"] in ALTERED_CLASSES and row["sentence"] in cited:
            yield f"{row['id']}: is not altered"


def origins(data: Path, handbook: Path | None) -> dict[str, Origin]:
    """How to read the text that a passage was taken from, by the first part of its id."""

    def xquad(passage: Row) -> str | None:
        _, language, article, paragraph = passage["id"].split("-")
        path = data / "xquad" / f"xquad.{language}.json"
        if not path.is_file():
            return None
        found = json.loads(path.read_text("utf-8"))["data"][int(article)]["paragraphs"][int(paragraph)]
        return str(found["context"])

    def page(passage: Row) -> str | None:
        folder, name = passage["via"].split(", ")[1].split("/")
        path = (handbook or Path("/nowhere")) / HANDBOOK_PAGES / folder / name
        return html.unescape(re.sub(r"<[^>]+>", "", path.read_text("utf-8"))) if path.is_file() else None

    def readme(passage: Row) -> str | None:
        try:
            text = metadata(passage["via"].split()[-1]).json["description"]
        except PackageNotFoundError:
            return None
        return re.sub(r"`([^`<]+?)\s*<[^>]+>`_+|`([^`]+)`_", r"\1\2", str(text), flags=re.S)

    return {"xquad": xquad, "handbook": page, "readme": readme}


def is_from(text: str, origin: str) -> bool:
    """Whether each sentence of a text stands in its origin, whatever the white space and markup."""
    plain = _plain(origin)
    return all(_plain(sentence) in plain for sentence in re.split(r"(?<=[.!?])\s+", text))


def _plain(text: str) -> str:
    return re.sub(r"[\s`*\ufeff]+", "", text)


def main() -> int:
    """Print what was found; return 1 when something is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("TABWISE_DATA", "data")))
    parser.add_argument("--handbook", type=Path, default=None)
    options = parser.parse_args()
    passages, sentences = (
        [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]
        for name in ("passages.jsonl", "sentences.jsonl")
    )
    found = list(faults(passages, sentences))
    read = origins(options.data, options.handbook)
    n_compared = 0
    for passage in passages:
        origin = read[passage["id"].split("-")[0]](passage)
        if origin is not None:
            n_compared += 1
            if not is_from(passage["text"], origin):
                found.append(f"{passage['id']}: is not in {passage['via']}")
    counts = Counter(row["class"] for row in sentences)
    print(f"{len(sentences)} sentences: {', '.join(f'{kind} {n}' for kind, n in counts.most_common())}")
    print(f"{len(passages)} passages, {n_compared} compared with their origin")
    print("\n".join(found) or "sound")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
