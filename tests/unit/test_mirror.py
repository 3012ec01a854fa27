"""The mirror follows the library through deaths, removals and rules; without it the index answers."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desk import BREAD, TIDES
from fakes import BagEmbedder, FakeClock, FakeTabs, WholePage, capture_of
from qdrant_server import FakeQdrant, served
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.stores.qdrant import rest
from tabwise.adapters.stores.qdrant.store import QdrantStores
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.core.model import Capture, FusionMode, SourceId
from tabwise.core.network.mirror import StorePlace
from tabwise.engine.indexing import Indexer, TabRef
from tabwise.engine.jobs import silent_job
from tabwise.engine.library import Library, library_of
from tabwise.engine.mirror import REST_MS, Mirror, MirrorState
from tabwise.engine.passages import FoundPassages, PassageFinder
from tabwise.engine.scoping import EVERYTHING, Scope
from tabwise.errors import ProviderError

pytestmark = pytest.mark.native

EMBEDDER = BagEmbedder()
STARS = capture_of(
    "https://sky.example/stars",
    "Stars",
    "A star like the sun burns hydrogen for about ten billion years.",
    "The nearest star beyond the sun is Proxima Centauri, 4.2 light years away.",
)
PAGES = (TIDES, BREAD, STARS)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def fake() -> FakeQdrant:
    return FakeQdrant()


@pytest.fixture
def url(fake: FakeQdrant) -> Iterator[str]:
    with served(fake) as address:
        yield address


class Setting:
    """An open library and its mirror."""

    def __init__(self, path: Path, url: str, http: NativeHttp, stays_here: Callable[[str], bool]) -> None:
        self.store = SqliteStore(path)
        self.library: Library = library_of(EMBEDDER.descriptor, self.store)
        self.clock = FakeClock()
        place = StorePlace(url, "tabwise", EMBEDDER.descriptor.id, 64, self.store.library_id())
        self.qdrant = QdrantStores(http, _no_key).at(place)
        self.mirror = Mirror(self.library, self.qdrant, stays_here=stays_here)

    async def add(self, *captures: Capture, embed: bool = True) -> None:
        tabs = dict(enumerate(captures))
        indexer = Indexer(
            self.library, pages=FakeTabs(dict(tabs)), content=WholePage(), embedder=EMBEDDER, clock=self.clock
        )
        refs = [TabRef(number, capture.url) for number, capture in tabs.items()]
        await indexer.read(refs, silent_job(), lambda _: None)
        if embed:
            await indexer.embed_missing(silent_job())

    async def sync(self) -> MirrorState:
        return await self.mirror.sync(silent_job())

    async def find(
        self, question: str, mode: FusionMode = FusionMode.CONVEX, *, scope: Scope = EVERYTHING, k: int = 8
    ) -> FoundPassages:
        async def current() -> Mirror:
            return self.mirror

        finder = PassageFinder(self.library, clock=self.clock, mirror=current)
        vector = (await EMBEDDER.embed([question]))[0]
        return await finder.search(question, vector, scope=scope, mode=mode, k=k)


async def _no_key() -> str:
    return ""


@asynccontextmanager
async def opened(
    path: Path, url: str, *, stays_here: Callable[[str], bool] = lambda url: False
) -> AsyncIterator[Setting]:
    http = NativeHttp()
    setting = Setting(path / "library.db", url, http, stays_here)
    await setting.library.load(silent_job())
    try:
        yield setting
    finally:
        setting.store.close()
        await http.close()


def n_writes(fake: FakeQdrant) -> int:
    return sum(method == "PUT" and "/points" in path for method, path in fake.requests)


async def outcome_of_sync(setting: Setting) -> str:
    try:
        await setting.sync()
    except ProviderError as error:
        return error.code
    return "done"


def source_of(setting: Setting, word: str) -> SourceId:
    (found,) = [source for source in setting.library.index.sources() if word in source]
    return found


@pytest.mark.anyio
async def test_it_mirrors_everything_once(fake: FakeQdrant, url: str, tmp_path: Path) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        assert await setting.sync() == MirrorState(3, 3, 0)
        assert await setting.qdrant.count() == setting.library.index.n_chunks
        fake.requests.clear()
        assert await setting.sync() == MirrorState(3, 3, 0)
        assert n_writes(fake) == 0


@pytest.mark.anyio
@pytest.mark.fault("F57")
async def test_a_store_that_dies_at_any_write_keeps_what_it_acknowledged(
    url: str, fake: FakeQdrant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabwise.engine.mirror.CHUNKS_PER_WRITE", 1)
    deaths = 0
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        for n in range(1, 100):
            fake.dies_at_write = n
            acknowledged = setting.mirror.state().n_mirrored
            if (ended := await outcome_of_sync(setting)) == "done":
                break
            assert ended in ("network_lost", "network_refused")
            assert setting.mirror.state().n_mirrored >= acknowledged
            deaths += 1
            fake.is_dead = False
        assert deaths >= 3
        assert setting.mirror.state() == MirrorState(3, 3, 0)
        assert await setting.qdrant.count() == setting.library.index.n_chunks


@pytest.mark.anyio
async def test_after_a_restart_only_what_is_missing_is_sent(
    fake: FakeQdrant, url: str, tmp_path: Path
) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(TIDES, BREAD)
        await setting.sync()
        await setting.add(STARS)
    n_before = n_writes(fake)
    async with opened(tmp_path, url) as setting:
        assert setting.mirror.state() == MirrorState(3, 2, 0)
        assert await setting.sync() == MirrorState(3, 3, 0)
    assert n_writes(fake) == n_before + 1


@pytest.mark.anyio
async def test_a_page_that_is_being_sent_is_not_relied_on(fake: FakeQdrant, url: str, tmp_path: Path) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        await setting.sync()
        await setting.add(capture_of(BREAD.url, BREAD.title, "Rye bread is baked longer."))
        fake.dies_at_write = 1
        with pytest.raises(ProviderError):
            await setting.sync()
        assert not setting.mirror.covers(None)
        assert setting.mirror.covers([source_of(setting, "tides")])
        assert not setting.mirror.covers([source_of(setting, "bread")])


@pytest.mark.anyio
async def test_what_was_wiped_there_is_sent_anew(fake: FakeQdrant, url: str, tmp_path: Path) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        await setting.sync()
        (name,) = fake.names()
        fake.engine.delete_collection(name)
        assert (await setting.find("tidal range")).why_local == "qdrant_collection"
        await setting.sync()
        assert await setting.qdrant.count() == setting.library.index.n_chunks
        assert (await setting.find("tidal range")).store == "qdrant"


@pytest.mark.anyio
async def test_removals_follow_and_can_be_undone(url: str, tmp_path: Path) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        await setting.sync()
        n_all = await setting.qdrant.count()
        bread = source_of(setting, "bread")
        setting.library.remove(bread)
        assert all(hit.chunk.source != bread for hit in (await setting.find("sourdough starter")).hits)
        await setting.sync()
        assert await setting.qdrant.count() < n_all
        await setting.library.restore(bread, silent_job())
        assert setting.mirror.state().n_mirrored == 2
        await setting.sync()
        assert await setting.qdrant.count() == n_all


@pytest.mark.anyio
async def test_pages_that_stay_here_are_not_sent_and_those_sent_before_are_taken_back(
    fake: FakeQdrant, url: str, tmp_path: Path
) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        await setting.sync()
    async with opened(tmp_path, url, stays_here=lambda url: "kitchen" in url) as setting:
        assert await setting.sync() == MirrorState(3, 2, 1)
        stored = fake.engine.scroll(fake.names()[0])[0]
        assert {point.payload["source"] for point in stored if point.payload} == {
            source_of(setting, "tides"),
            source_of(setting, "stars"),
        }
        assert (await setting.find("sourdough starter")).why_local == "mirror_behind"
        scope = Scope(frozenset([source_of(setting, "tides")]))
        assert (await setting.find("tidal range", scope=scope)).store == "qdrant"


@pytest.mark.anyio
async def test_vectors_that_come_later_follow(url: str, tmp_path: Path) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES, embed=False)
        await setting.sync()
        hits = (await setting.find("tidal range", FusionMode.LEXICAL)).hits
        assert hits[0].dense is None
        await setting.add(*PAGES)
        assert setting.mirror.state().n_mirrored == 0
        await setting.sync()
        assert (await setting.find("tidal range", FusionMode.DENSE)).hits[0].dense is not None


@pytest.mark.anyio
@pytest.mark.parametrize("mode", list(FusionMode))
@pytest.mark.parametrize(
    "question", ["Where is the largest tidal range?", "How hot to bake a loaf", "nearest star"]
)
async def test_it_finds_first_what_the_index_finds_first(
    url: str, tmp_path: Path, mode: FusionMode, question: str
) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        local = await setting.find(question, mode)
        await setting.sync()
        remote = await setting.find(question, mode)
        assert (local.store, remote.store) == ("local", "qdrant")
        assert remote.hits[0].chunk == local.hits[0].chunk
        assert remote.hits[0].lexical == pytest.approx(local.hits[0].lexical, rel=0.5)
        assert remote.hits[0].rank_fused == 1


@pytest.mark.anyio
async def test_a_question_the_pages_say_nothing_about_finds_nothing(url: str, tmp_path: Path) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        await setting.sync()
        for question in ("parliament election budget", "🙂", "the of and"):
            found = await setting.find(question)
            assert (found.store, found.hits) == ("qdrant", ())


@pytest.mark.anyio
async def test_newer_pages_gain_when_they_are_preferred(url: str, tmp_path: Path) -> None:
    async with opened(tmp_path, url) as setting:
        old = capture_of("https://a.example/", "A", "The tide follows the moon.")
        new = capture_of("https://b.example/", "B", "The tide follows the moon.")
        await setting.add(new)
        setting.clock.ms += 400 * 86_400_000
        await setting.add(old)
        await setting.sync()
        preferred = await setting.find("tide and moon", scope=Scope(prefer_recent=True))
        assert preferred.hits[0].chunk.source == "https://a.example/"
        assert preferred.hits[0].recency > 0.1 * preferred.hits[0].score > preferred.hits[1].recency


@pytest.mark.anyio
@pytest.mark.fault("F57")
async def test_offline_the_index_answers_and_says_so(fake: FakeQdrant, url: str, tmp_path: Path) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        await setting.sync()
        fake.is_dead = True
        found = await setting.find("Where is the largest tidal range?")
        assert (found.store, found.why_local) == ("local", "network_lost")
        assert "Fundy" in found.hits[0].chunk.text


@pytest.mark.anyio
async def test_one_that_takes_too_long_is_not_waited_for(
    fake: FakeQdrant, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabwise.adapters.stores.qdrant.store.SEARCH_SILENCE_MS", 50)
    assert rest.SEARCH_SILENCE_MS <= 5_000
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        await setting.sync()
        fake.delay_s = 1.0
        found = await setting.find("tidal range")
        assert (found.store, found.why_local) == ("local", "network_timeout")


@pytest.mark.anyio
async def test_a_store_that_failed_is_left_alone_for_a_while(
    fake: FakeQdrant, url: str, tmp_path: Path
) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(*PAGES)
        await setting.sync()
        fake.is_dead = True
        await setting.find("tidal range")
        fake.requests.clear()
        fake.is_dead = False
        assert (await setting.find("tidal range")).why_local == "network_lost"
        assert fake.requests == []
        setting.clock.ms += REST_MS
        assert (await setting.find("tidal range")).store == "qdrant"
        fake.is_dead = True
        await setting.find("tidal range")
        fake.is_dead = False
        await setting.sync()
        assert (await setting.find("tidal range")).store == "qdrant"


@pytest.mark.anyio
async def test_pages_not_sent_yet_are_asked_here(url: str, tmp_path: Path) -> None:
    async with opened(tmp_path, url) as setting:
        await setting.add(TIDES)
        await setting.sync()
        await setting.add(BREAD)
        assert (await setting.find("tidal range")).why_local == "mirror_behind"
