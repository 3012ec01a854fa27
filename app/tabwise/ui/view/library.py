"""The Library view: every saved page, by site and date, and what can be done to it."""

from tabwise.ui.dates import SPANS, start_of_day
from tabwise.ui.icons import icon, mark
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.scope import hosts
from tabwise.ui.shelf import WINDOW, is_refreshable, listed_pages, shelf_pages, text_matches, window_start
from tabwise.ui.text import number, size
from tabwise.ui.titles import title_of
from tabwise.ui.view.found import excerpt_view
from tabwise.ui.view.parts import button, favicon, icon_button, job_head, moment, site, spinner, title
from tabwise.ui.view.rows import page_words, part
from tabwise.ui.view.settings.writing import writer_names
from tabwise.ui.view.summaries import summary_view, told_of
from tabwise.ui.words import say


def library_view(state: dict, memo: Memo) -> tuple:
    """Return the list of saved pages with its filters, its counts and its progress."""
    if not state["library"]:
        return h("div", {"class": "pages"}, _empty() if state["known"] else None)
    listed, start, busy = shelf_pages(state), window_start(state), state["refreshing"] is not None
    page = state["refreshing"]["page"] if busy else None
    matches = text_matches(state)
    every = listed_pages(state) if matches else listed
    can_refresh = any(is_refreshable(one) for one in every)
    is_looking = not state["shelf_found"]["complete"]
    is_last = start + WINDOW >= len(listed)
    dated, text = state["shelf"], state["shelf_found"]["text"]
    days = (start_of_day(dated["now"], dated["offset_min"]), dated["offset_min"])
    names = memo("writers", writer_names, state["settings"]["providers"], state["catalogue"])
    told = state["summaries"]
    return h(
        "div",
        {"class": "pages"},
        memo("shelf filters", _filters, state["shelf"], hosts(state), is_looking),
        memo("shelf head", _head, len(every), state["stats"], can_refresh, busy),
        _progress(state["refreshing"]) if busy else None,
        memo("shelf", _list, listed, start, page, *days, busy, told, names, memo) if listed else None,
        memo("shelf texts", _in_texts, matches, text, page, *days, busy, memo)
        if matches and is_last
        else None,
        _looking() if is_looking and is_last else None,
        h("p", {"class": "empty", "key": "none", "data-test": "shelf-none"}, say("shelf_none"))
        if not every and not is_looking
        else None,
        memo("shelf turn", _turns, start, len(listed)),
    )


def _empty() -> tuple:
    return h(
        "section",
        {"class": "welcome", "key": "empty", "data-test": "no-library"},
        mark(),
        h("h2", {"class": "headline"}, say("shelf_empty")),
        h("p", {"class": "lead"}, say("no_library")),
        button(say("shelf_empty_act"), {"type": "view", "value": "pages"}, "primary", test="to-pages"),
    )


def _looking() -> tuple:
    """What stands where pages will be listed while the texts are still looked through."""
    attrs = {"class": "looking", "key": "looking", "data-test": "shelf-looking"}
    return h("p", attrs, spinner(), h("span", {}, say("shelf_looking")))


def _filters(shelf: dict, sites: list, is_looking: bool) -> tuple:
    attrs = {
        "type": "search",
        "id": "shelf-text",
        "class": "filter",
        "dir": "auto",
        "data-test": "shelf-text",
        "aria-label": say("shelf_find"),
        "placeholder": say("shelf_find"),
        "value": shelf["text"],
        "on-input": {"type": "shelf_filter", "name": "text"},
    }
    chosen = [shelf["site"]] if shelf["site"] and shelf["site"] not in sites else []
    choices = [("", say("shelf_any_site"))] + [(name, name) for name in chosen + sites]
    spans = [(str(days), say("span_" + str(days))) for days in SPANS]
    return h(
        "div",
        {"class": "shelf-filters", "key": "filters"},
        h("div", {"class": "filter-box"}, spinner() if is_looking else icon("search"), h("input", attrs)),
        h(
            "div",
            {"class": "shelf-selects"},
            _select("site", shelf["site"], choices),
            _select("days", str(shelf["days"]), spans),
        ),
    )


def _select(name: str, value: str, options: list) -> tuple:
    attrs = {
        "value": value,
        "aria-label": say("shelf_" + name),
        "data-test": "shelf-" + name,
        "on-change": {"type": "shelf_filter", "name": name},
    }
    listed = [
        h("option", {"key": key, "value": key, "selected": key == value}, text) for key, text in options
    ]
    return h("span", {"class": "select boxed"}, h("select", attrs, listed), icon("down"))


def _head(n_listed: int, stats: dict | None, can_refresh: bool, busy: bool) -> tuple:
    facts = [say("n_saved", n=n_listed)]
    if stats is not None:
        facts += [say("n_passages", n=stats["n_chunks"]), size(stats["size_bytes"])]
    again = button(
        say("refresh_all"),
        {"type": "refresh_listed"},
        "quiet small",
        icon="again",
        test="refresh-all",
        disabled=busy or not can_refresh,
    )
    said = h("p", {"class": "detail", "data-test": "shelf-count"}, [part(fact) for fact in facts])
    return h("div", {"class": "shelf-head", "key": "head"}, said, again)


def _progress(work: dict) -> tuple:
    name = say("refreshing")
    stop = {
        "type": "button",
        "class": "button quiet small",
        "data-test": "refresh-stop",
        "disabled": not work["left"],
        "on-click": {"type": "refresh_stop"},
    }
    return h(
        "section",
        {"class": "job", "key": "refreshing", "aria-label": name, "data-test": "refreshing"},
        job_head(
            name,
            say("job_rows", done=work["n_done"], total=work["n_total"]),
            h("button", stop, icon("stop"), h("span", {}, say("stop"))),
        ),
        h("progress", {"max": str(work["n_total"]), "value": str(work["n_done"]), "aria-label": name}),
    )


def _list(
    listed: list,
    start: int,
    page: dict | None,
    today: int,
    offset_min: int,
    busy: bool,
    told: dict,
    names: dict,
    memo: Memo,
) -> tuple:
    rows = []
    for one in listed[start : start + WINDOW]:
        inputs = [one, one is page, today, offset_min, busy] + told_of(told, names, one)
        rows.append(memo.bounded("shelf " + one["source"], shelf_row, *inputs))
    attrs = {"class": "rows", "key": "shelf", "id": "shelf", "tabindex": "-1", "aria-label": say("library")}
    return h("ul", attrs, rows)


def _in_texts(
    matches: list, text: str, page: dict | None, today: int, offset_min: int, busy: bool, memo: Memo
) -> tuple:
    rows = []
    for one, match in matches:
        inputs = [one, one is page, today, offset_min, busy] + _NOT_TOLD + [match, text]
        rows.append(memo.bounded("shelf " + one["source"], shelf_row, *inputs))
    head = h("h2", {}, say("shelf_in_texts"), h("span", {"class": "tally"}, number(len(matches))))
    attrs = {"class": "group", "key": "texts", "data-test": "shelf-texts"}
    return h("section", attrs, head, h("ul", {"class": "rows"}, rows))


_NOT_TOLD: list = [None, False, "", None]  # a row that shows where the text stands says nothing in short


def shelf_row(
    page: dict,
    is_reading: bool,
    today: int,
    offset_min: int,
    busy: bool,
    summary: dict | None,
    unfolded: bool,
    by: str,
    in_hand: dict | None,
    match: dict | None = None,
    text: str = "",
) -> tuple:
    """Return the row of a saved page: `is_reading` while it is read again, `busy` while any is.

    `summary` and the three after it are what `summaries.told_of` says of the page. `match`: where the page
    has `text` in its text, which is what the row leads to.
    """
    name = title_of(page)
    source = page["source"]
    to_page = {"type": "open_page", "url": page["url"]}
    to_passage = {"type": "open_found", "box": "shelf_found", "source": source}
    opener = {
        "type": "button",
        "id": "saved-" + page["source"],
        "class": "opener",
        "title": name,
        "on-click": to_passage if match else to_page,
    }
    added = moment(page["captured_at"], today, offset_min)
    again = icon_button(
        "again",
        say("refresh_label", title=name),
        {"type": "refresh_one", "source": page["source"]},
        style="faint",
        test="refresh",
    )
    gone = icon_button(
        "trash",
        say("remove_label", title=name),
        {"type": "shelf_remove", "source": page["source"]},
        style="faint",
        test="remove",
    )
    can_read = is_refreshable(page) and not busy
    attrs = {
        "class": "row saved",
        "key": page["source"],
        "data-test": "shelf-row",
        "data-source": page["source"],
    }
    return h(
        "li",
        attrs,
        h(
            "div",
            {"class": "what"},
            h("button", opener, favicon(page["url"]), title(name)),
            h("p", {"class": "detail"}, site(page["url"]), part(added), page_words(page)),
            excerpt_view(match["excerpt"], text) if match else None,
            summary_view("saved-%s-summary" % source, summary, unfolded, by, in_hand),
        ),
        h("div", {"class": "does"}, spinner() if is_reading else again if can_read else None, gone),
    )


def _turns(start: int, n_listed: int) -> tuple | None:
    if n_listed <= WINDOW:
        return None
    last = min(start + WINDOW, n_listed)
    shown = say("shelf_window", first=number(start + 1), last=number(last), total=number(n_listed))
    before = {"type": "shelf_turn", "start": max(0, start - WINDOW)}
    after = {"type": "shelf_turn", "start": start + WINDOW}
    return h(
        "nav",
        {"class": "shelf-turn", "key": "turn", "aria-label": say("shelf_turn")},
        button(say("shelf_before"), before, "quiet small", test="shelf-before", disabled=start == 0),
        h("span", {"class": "count", "data-test": "shelf-window"}, shown),
        button(say("shelf_after"), after, "quiet small", test="shelf-after", disabled=last == n_listed),
    )
