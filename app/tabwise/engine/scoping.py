"""Which pages a question is put to: chosen sources, sites, days of capture; and whether newer ones gain."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tabwise.core.model import PageHead, SourceId
from tabwise.core.network.mirror import PageFilter
from tabwise.core.search.index import SearchIndex
from tabwise.engine.library import Library
from tabwise.protocol.addresses import host_of

HALF_LIFE_DAYS = 30.0
_DAY_MS = 86_400_000.0


@dataclass(frozen=True, slots=True)
class Scope:
    """The pages to search.

    `sources` and `sites` are any when empty; a site is a host and stands for the hosts below it too. A page
    was captured at `after_ms` or later and before `before_ms`, 0 for no limit; ms since the epoch.
    """

    sources: frozenset[SourceId] = frozenset()
    sites: tuple[str, ...] = ()
    after_ms: float = 0.0
    before_ms: float = 0.0
    prefer_recent: bool = False

    def pages(self, index: SearchIndex) -> Collection[SourceId] | None:
        """Return the sources in scope, None for all of them."""
        if not (self.sources or self.sites or self.after_ms or self.before_ms):
            return None
        return frozenset(source for source in index.sources() if self._has(index.head(source)))

    def heads(self, library: Library) -> Sequence[PageHead]:
        """Return what lists need of the pages in scope, oldest first."""
        in_scope = self.pages(library.index)
        heads = library.heads()
        return heads if in_scope is None else [head for head in heads if head.source in in_scope]

    def page_filter(self) -> PageFilter:
        """The same pages for a store that has no index of ours."""
        hosts = tuple(_sound_site(site) for site in self.sites)
        return PageFilter(self.sources, hosts, self.after_ms, self.before_ms)

    def recency(self, index: SearchIndex, now_ms: float) -> Mapping[SourceId, float] | None:
        """Return 0.5 ** (age / HALF_LIFE_DAYS) of every page, None when newer ones are not preferred."""
        if not self.prefer_recent:
            return None
        pages = [page for source in index.sources() if (page := index.head(source)) is not None]
        ages = {page.source: max(0.0, now_ms - page.captured_at) / _DAY_MS for page in pages}
        return {source: 0.5 ** (age / HALF_LIFE_DAYS) for source, age in ages.items()}

    def _has(self, page: PageHead | None) -> bool:
        if page is None or (self.sources and page.source not in self.sources):
            return False
        if page.captured_at < self.after_ms or (self.before_ms and page.captured_at >= self.before_ms):
            return False
        host = host_of(page.url)
        return not self.sites or any(_is_of_site(host, site) for site in self.sites)


def _sound_site(site: str) -> str:
    return site.strip().lower().removeprefix("www.").rstrip(".")


def _is_of_site(host: str, site: str) -> bool:
    site = _sound_site(site)
    return site != "" and (host == site or host.endswith("." + site))


EVERYTHING = Scope()
