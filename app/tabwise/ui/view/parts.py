"""Pieces that several views share: buttons, page icons, titles, spinners, heads of work, errors."""

from tabwise.ui.dates import date_of, time_of
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.text import favicon_url, site_of
from tabwise.ui.words import error_action, error_sentence, say


def button(label: str, event: dict, style: str, **more) -> tuple:
    """Return a push button with its text.

    `icon` puts an icon before it, `aria` gives it a longer accessible name, `test` is the tests' hook,
    `id` lets it take the focus.
    """
    attrs = {
        "type": "button",
        "id": more.get("id"),
        "class": "button " + style,
        "on-click": event,
        "data-test": more.get("test"),
        "disabled": more.get("disabled"),
        "aria-label": more.get("aria"),
    }
    name = more.get("icon")
    return h("button", attrs, icon(name) if name else None, h("span", {}, label))


def icon_button(name: str, label: str, event: dict, **more) -> tuple:
    """Return a button that shows an icon only; `label` is its accessible name and its tooltip."""
    attrs = {
        "type": "button",
        "class": "icon-button " + more.get("style", ""),
        "on-click": event,
        "aria-label": label,
        "title": more.get("title", label),
        "data-test": more.get("test"),
        "disabled": more.get("disabled"),
    }
    return h("button", attrs, icon(name))


def favicon(url: str) -> tuple:
    """Return the icon of a page from the browser's own store."""
    if not url.startswith(("http://", "https://")):
        return h("span", {"class": "favicon blank"}, icon("page"))
    attrs = {
        "class": "favicon",
        "src": favicon_url(url),
        "alt": "",
        "width": "16",
        "height": "16",
        "loading": "lazy",
    }
    return h("img", attrs)


def title(text: str, style: str = "title") -> tuple:
    """Return a page's title, isolated so that its direction does not disturb what stands around it."""
    return h("bdi", {"class": style, "dir": "auto"}, text)


def site(url: str, detail: str = "") -> tuple:
    """Return the site of a page, with a detail behind it."""
    return h("bdi", {"class": "site", "dir": "ltr"}, site_of(url) + (" · " + detail if detail else ""))


def moment(at_ms: float, today_ms: int, offset_min: int) -> str:
    """Return when something was as a list tells it: the time of today, else the day.

    `today_ms`: when the reader's day began (`dates.start_of_day`).
    """
    return time_of(at_ms, offset_min) if at_ms >= today_ms else day_of(at_ms, offset_min)


def day_of(at_ms: float, offset_min: int) -> str:
    """Return the reader's day of a moment in words: 14 Nov 2023."""
    year, month, day = date_of(at_ms, offset_min)
    return say("day", day=str(day), month=say("month_" + str(month)), year=str(year))


def spinner() -> tuple:
    """Return the sign that something is going on; the text beside it says what."""
    return h("span", {"class": "spinner", "aria-hidden": "true"})


def job_head(name: str, count: str, stop: tuple) -> tuple:
    """Return the head of work that goes on: what it is, how far it is ("" while unknown), what ends it."""
    said = [
        h("span", {"class": "job-name"}, name),
        h("span", {"class": "count"}, count) if count else None,
    ]
    return h("div", {"class": "job-head"}, spinner(), h("p", {"class": "job-what"}, said), stop)


def error_box(code: str, events: dict, subject: str = "") -> tuple:
    """Return an error as its sentence and its one action; `events` maps actions to events."""
    label, action = error_action(code)
    event = events.get(action)
    return h(
        "div",
        {"class": "error-box", "data-test": "error", "data-code": code, "role": "group"},
        icon("alert"),
        h("p", {}, error_sentence(code, subject)),
        button(label, event, "quiet") if event else None,
    )
