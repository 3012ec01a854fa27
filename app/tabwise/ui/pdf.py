"""What the PDF viewer knows about its file: where to look for passages, how large pages can be drawn.

The record `pdf` of the state, None while no file was asked for:
    asked     {"url", "source", "title", "start", "passages"}: what the address of the viewer says
    stage     "opening", "open", "failed"           error    its code, "" for none
    n_pages, page, percent: of the file, of what is on show        whole_width  whether pages fill the width
    marks     for each passage its ItemSpans, [] when it is nowhere, None while it is looked for
    current   the passage that is gone to            window   which pages are looked through, by its number
    token     of the text that was asked for         seeking  the passages the engine looks for in it
"""

ZOOMS = (25, 33, 50, 67, 75, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400)
MAX_AUTO_PERCENT = 140  # a page is not blown up over a wide window unless the reader wants it
WINDOW_PAGES = 8


def pages_to_search(passages: list, n_pages: int, number: int) -> list:
    """Return the pages of the window of that number, [] when all were looked through.

    First the pages the passages are said to be on, each with the next one, since they may run over; then
    windows of WINDOW_PAGES, each with the first page of the next one, from the first passage outwards. A
    page that the file does not have any more stands for its last one.
    """
    if number == 0:
        pages: list = []
        for passage in passages:
            for page in (passage["page_number"], passage["page_number"] + 1):
                page = within(page, n_pages)
                if page not in pages:
                    pages.append(page)
        return sorted(pages)
    n_windows = (n_pages + WINDOW_PAGES - 1) // WINDOW_PAGES
    middle = (within(passages[0]["page_number"], n_pages) - 1) // WINDOW_PAGES
    order = sorted(range(n_windows), key=lambda at: (abs(at - middle), -at))
    if number > n_windows:
        return []
    first = order[number - 1] * WINDOW_PAGES + 1
    return list(range(first, min(first + WINDOW_PAGES, n_pages) + 1))


def within(page: int, n_pages: int) -> int:
    """Return the page of that number, the first or last one for a number beyond."""
    return min(max(page, 1), n_pages)


def next_zoom(percent: int, by: int) -> int:
    """Return the next larger or smaller size, the same at the end."""
    wanted = [zoom for zoom in ZOOMS if (zoom > percent if by > 0 else zoom < percent)]
    if not wanted:
        return percent
    return wanted[0] if by > 0 else wanted[-1]


def page_of(marks: list) -> int:
    """Return the page on which a found passage begins."""
    page: int = marks[0]["page"]
    return page
