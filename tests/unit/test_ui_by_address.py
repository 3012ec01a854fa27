"""Saved pages by address: kept up from library to library, they are what building them anew gives."""

from hypothesis import given
from hypothesis import strategies as st

from tabwise.ui.by_address import ByAddress

PLACES = ["https://a.example/", "https://b.example/", "https://b.example/#selection", "https://c.example/"]


def page(source: str, url: str) -> dict[str, str]:
    return {"source": source, "url": url}


def anew(library: list[dict[str, str]]) -> dict[str, dict[str, str]]:
    """As the sentences of the module say it: an address shows the newest page of it, a source its page."""
    pages: dict[str, dict[str, str]] = {}
    for one in library:
        if "#" not in one["source"]:
            pages.setdefault(one["url"].partition("#")[0], one)
    return pages | {one["source"]: one for one in library}


pages = st.builds(page, st.sampled_from(PLACES), st.sampled_from(PLACES))


@given(st.lists(st.one_of(st.lists(pages, min_size=1, max_size=3), st.sampled_from(PLACES))))
def test_after_any_changes_it_is_as_if_built_anew(changes: list[list[dict[str, str]] | str]) -> None:
    by_address = ByAddress()
    library: list[dict[str, str]] = []
    for change in changes:
        if isinstance(change, str):
            library = [one for one in library if one["source"] != change]
        else:
            added = list({one["source"]: one for one in change}.values())
            sources = {one["source"] for one in added}
            library = added + [one for one in library if one["source"] not in sources]
        assert by_address(library) == anew(library)


def test_a_page_read_again_is_found_as_it_is_now() -> None:
    by_address = ByAddress()
    first, other = page("https://a.example/", "https://a.example/"), page("https://b.example/", PLACES[1])
    by_address([other, first])
    again = dict(first)
    assert by_address([again, other])["https://a.example/"] is again
    told_anew = [dict(again), dict(other)]
    assert by_address(told_anew)["https://b.example/"] is told_anew[1]
