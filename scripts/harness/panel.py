"""The side panel as a person uses it: add tabs, ask, read the answer. Controls are found by `data-test`."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from harness.browser import PATIENCE_S, HarnessError, Target

ADD_TIMEOUT_S = 180.0
ANSWER_TIMEOUT_S = 180.0
POLL_S = 0.1
READ_STATES = ("added", "updated", "unchanged")


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """One sentence of the answer as the panel shows it: its text, its verdict, its chips as read aloud."""

    text: str
    verdict: str
    citations: tuple[str, ...]


class Panel:
    """The controls of one open side panel."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.wait_for("view-pages")

    def wait_for(self, name: str, *, timeout_s: float = PATIENCE_S) -> None:
        """Wait until a control is shown."""
        self.target.wait_for(f"!!{_first(name)}", timeout_s=timeout_s, what=f"the panel's {name}")

    def click(self, name: str) -> None:
        """Press a control, as a user's gesture."""
        self.wait_for(name)
        self.target.evaluate(f"{_first(name)}.click()", user_gesture=True)

    def count(self, name: str) -> int:
        """How many controls of that name are shown."""
        return int(self.target.evaluate(f"{_all(name)}.length"))

    def text(self, name: str) -> str:
        """The text of a control, empty when it is not shown."""
        return str(self.target.evaluate(f"{_first(name)}?.innerText ?? ''")).strip()

    def add_all(self, n_tabs: int, *, timeout_s: float = ADD_TIMEOUT_S) -> None:
        """Add all tabs and wait until `n_tabs` of them are read. Raises HarnessError with what failed."""
        self.click("view-pages")
        self.click("add-all")
        deadline = time.monotonic() + timeout_s
        while True:
            states = self.tab_states()
            n_read = sum(state in READ_STATES for state in states.values())
            if n_read >= n_tabs and not self.count("progress"):
                return
            if "failed" in states.values() or time.monotonic() > deadline:
                raise HarnessError(f"the tabs were not read: {states} {self.text('error')}".strip())
            time.sleep(POLL_S)

    def tab_states(self) -> dict[str, str]:
        """The state of each open tab by its address, as the Pages view shows it."""
        rows = f"[...{_all('tab-row')}].map(row => [row.dataset.url, row.dataset.state])"
        return dict(self.target.evaluate(rows))

    def press_in_row(self, url: str, name: str) -> None:
        """Press a control in the row of an open tab, as a user's gesture."""
        self.target.evaluate(f"({_row(url)}).querySelector('[data-test={name}]').click()", user_gesture=True)

    def row_text(self, url: str) -> str:
        """What the row of an open tab says."""
        return str(self.target.evaluate(f"({_row(url)}).innerText"))

    def wait_for_state(self, url: str, *wanted: str, timeout_s: float = ADD_TIMEOUT_S) -> None:
        """Wait until the row of an open tab is in one of these states."""
        script = f"{json.dumps(wanted)}.includes(({_row(url)})?.dataset.state)"
        self.target.wait_for(script, timeout_s=timeout_s, what=f"{url} to be one of {wanted}")

    def ask(self, question: str, *, timeout_s: float = ANSWER_TIMEOUT_S) -> tuple[ShownSentence, ...]:
        """Ask, wait for the end of the answer and read it. Raises HarnessError when it fails."""
        self.submit(question)
        state = self.target.wait_for(
            f"(state => state !== 'working' && state)({_last('answer')}?.dataset.state)",
            timeout_s=timeout_s,
            what="the answer",
        )
        if state == "failed":
            raise HarnessError(f"the question failed: {self.text('error')}")
        return self.sentences()

    def submit(self, question: str) -> None:
        """Type a question, send it and wait until the panel works on it."""
        self.click("view-chat")
        self.wait_for("question")
        before = self.target.evaluate(f"{_last('answer')}?.id ?? ''")
        self.target.evaluate(
            f"(field => {{ field.value = {json.dumps(question)};"
            f" field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})({_first('question')})"
        )
        self.click("ask")
        # A long conversation draws its last questions only, so they are told apart by their ids.
        taken = f"({_last('answer')}?.id ?? '') !== {json.dumps(before)}"
        self.target.wait_for(taken, what="the question to be taken")

    def sentences(self) -> tuple[ShownSentence, ...]:
        """The sentences of the last answer, in order."""
        found = self.target.evaluate(
            f"[...({_last('answer')}?.querySelectorAll('[data-test=sentence]') ?? [])].map(sentence => ({{"
            " text: sentence.querySelector('[dir=auto]').textContent.trim(),"
            " verdict: sentence.dataset.verdict,"
            " citations: [...sentence.querySelectorAll('[data-test=chip]')].map(chip => chip.ariaLabel) }))"
        )
        return tuple(ShownSentence(each["text"], each["verdict"], tuple(each["citations"])) for each in found)

    def last_answer(self) -> str:
        """The text of the last answer as it is shown."""
        return str(self.target.evaluate(f"{_last('answer')}.innerText"))

    def press_chip(self, index: int) -> None:
        """Press a citation of the last answer, counted from 0."""
        chips = f"{_last('answer')}.querySelectorAll('[data-test=chip]')"
        self.target.evaluate(f"{chips}[{index}].click()", user_gesture=True)


def _first(name: str) -> str:
    return f"document.querySelector('[data-test={name}]')"


def _all(name: str) -> str:
    return f"document.querySelectorAll('[data-test={name}]')"


def _row(url: str) -> str:
    return f"[...{_all('tab-row')}].find(row => row.dataset.url === {json.dumps(url)})"


def _last(name: str) -> str:
    return f"[...{_all(name)}].at(-1)"
