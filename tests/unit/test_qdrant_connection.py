"""What is wrong with a Qdrant is told by name, and what was acknowledged is never sent twice."""

import socket
import ssl
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest

from qdrant_server import FakeQdrant, served
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.stores.qdrant.points import Batch, body_of, sites_of
from tabwise.adapters.stores.qdrant.rest import Rest
from tabwise.adapters.stores.qdrant.store import QdrantStore
from tabwise.core.model import Block, BlockKind, Chunk, ChunkId, FusionMode, Page, QuantizedVectors, SourceId
from tabwise.core.network.mirror import MirroredPage, PassageQuery, StorePlace
from tabwise.errors import ProviderError

pytestmark = pytest.mark.native

KEY = "a-secret-key"


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


@asynccontextmanager
async def store_at(url: str, *, key: str = "", max_body_bytes: int = 1_000_000) -> AsyncIterator[QdrantStore]:
    async def own_key() -> str:
        return key

    http = NativeHttp()
    place = StorePlace(url, "tabwise", "model", 8, "library")
    try:
        yield QdrantStore(Rest(http, url, own_key), place, max_body_bytes=max_body_bytes)
    finally:
        await http.close()


async def cause_at(url: str, *, key: str = "") -> tuple[str, str]:
    """Code and subject of what is wrong at an address."""
    async with store_at(url, key=key) as store:
        with pytest.raises(ProviderError) as caught:
            await store.state()
    assert not key or key not in f"{caught.value.message}{caught.value.subject}"
    return caught.value.code, caught.value.subject


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


async def checkpoint() -> None:
    """Nobody watches."""


def a_page(number: int, n_chunks: int, words: str = "tide") -> MirroredPage:
    text = "\n".join(f"{words} {i}" for i in range(n_chunks))
    source = SourceId(f"https://example.org/{number}")
    block = Block(BlockKind.PARAGRAPH, 0, len(text))
    page = Page(source, source, "T", "en", text, (block,), f"h{number}", 1.0, 0, 9, 9)
    chunks = tuple(
        Chunk(
            ChunkId(f"{number:012d}-{i:05d}"),
            source,
            i,
            0,
            4,
            (),
            text[:4],
            f"{words} {i}",
            f"h{number}-{i}",
            5,
        )
        for i in range(n_chunks)
    )
    codes = np.random.default_rng(number).integers(-127, 128, (n_chunks, 8), dtype=np.int8)
    return MirroredPage(page, chunks, QuantizedVectors(codes, np.ones(n_chunks, np.float32)))


@pytest.mark.anyio
async def test_a_sound_one_tells_its_version(url: str) -> None:
    async with store_at(url) as store:
        assert (await store.state()).version == "1.19.0"


@pytest.mark.anyio
async def test_nobody_there() -> None:
    assert (await cause_at(f"http://127.0.0.1:{free_port()}"))[0] == "network_refused"


@pytest.mark.anyio
async def test_no_address() -> None:
    assert (await cause_at("not an address"))[0] == "address_invalid"


@pytest.mark.anyio
@pytest.mark.parametrize(("key", "code"), [("", "key_missing"), ("wrong-key", "key_refused")])
@pytest.mark.fault("F57")
async def test_a_key_that_is_missing_or_wrong(fake: FakeQdrant, url: str, key: str, code: str) -> None:
    fake.key = KEY
    assert (await cause_at(url, key=key))[0] == code


@pytest.mark.anyio
async def test_a_key_that_may_only_read(fake: FakeQdrant, url: str) -> None:
    fake.status = 403
    async with store_at(url, key=KEY) as store:
        with pytest.raises(ProviderError) as caught:
            await store.open()
    assert caught.value.code == "key_refused"


@pytest.mark.anyio
async def test_the_right_key_goes_into_its_header(fake: FakeQdrant, url: str) -> None:
    fake.key = KEY
    async with store_at(url, key=KEY) as store:
        await store.state()
    assert set(fake.keys_seen) == {KEY}
    assert not any(KEY in path for _, path in fake.requests)


@pytest.mark.anyio
@pytest.mark.parametrize("version", ["1.15.5", "0.11.0", "1.9.0-dev"])
@pytest.mark.fault("F57")
async def test_too_old_a_version(fake: FakeQdrant, url: str, version: str) -> None:
    fake.version = version
    assert await cause_at(url) == ("qdrant_old", version)


@pytest.mark.anyio
@pytest.mark.parametrize("version", ["1.16.0", "v1.20.1", "2.0.0"])
async def test_new_enough_a_version(fake: FakeQdrant, url: str, version: str) -> None:
    fake.version = version
    async with store_at(url) as store:
        assert (await store.state()).version == version


@pytest.mark.anyio
@pytest.mark.fault("F60")
async def test_a_login_page_instead(fake: FakeQdrant, url: str) -> None:
    fake.html = True
    assert (await cause_at(url))[0] == "service_foreign"


@pytest.mark.anyio
@pytest.mark.fault("F60")
async def test_a_redirect_is_not_followed_and_told_as_the_networks(fake: FakeQdrant, url: str) -> None:
    fake.redirect = "https://portal.example/login"
    assert (await cause_at(url))[0] == "network_portal"


@pytest.mark.anyio
async def test_another_service_that_speaks_json(fake: FakeQdrant, url: str) -> None:
    fake.other_json = True
    assert (await cause_at(url))[0] == "service_foreign"


@pytest.mark.anyio
async def test_an_address_of_its_dashboard_names_the_right_one(url: str) -> None:
    assert await cause_at(f"{url}/dashboard") == ("qdrant_path", url)


@pytest.mark.anyio
async def test_below_a_path_it_is_found_where_it_is(fake: FakeQdrant, url: str) -> None:
    fake.prefix = "/vectors"
    async with store_at(f"{url}/vectors/") as store:
        await store.open()
        assert (await store.state()).exists


@pytest.mark.anyio
async def test_https_to_one_that_speaks_http(url: str) -> None:
    assert await cause_at(url.replace("http:", "https:")) == ("qdrant_tls", url)


@pytest.mark.anyio
async def test_while_looking_around_the_key_stays_here(fake: FakeQdrant, url: str) -> None:
    await cause_at(url.replace("http:", "https:"), key=KEY)
    await cause_at(f"{url}/dashboard", key=KEY)
    assert fake.keys_seen.count(KEY) == 1  # the second one's first request, to the address that was given


@pytest.mark.anyio
async def test_http_to_one_that_speaks_https(fake: FakeQdrant, tmp_path: Path) -> None:
    """The certificate is not trusted, as nobody's is here: told as what it looks like from outside."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=localhost",
    ]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*made, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_shake_hands, args=(listening, context), daemon=True)
        thread.start()
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        assert (await cause_at(f"http://{address}"))[0] in ("network_lost", "network_refused")
        assert (await cause_at(f"https://{address}"))[0] == "network_refused"


def _shake_hands(listening: socket.socket, context: ssl.SSLContext) -> None:
    while True:
        try:
            peer, _ = listening.accept()
            context.wrap_socket(peer, server_side=True).close()
        except OSError:
            if listening.fileno() < 0:
                return


@pytest.mark.anyio
@pytest.mark.parametrize("status", [400, 429, 500, 503])
async def test_an_error_of_its_own_is_worth_another_try(fake: FakeQdrant, url: str, status: int) -> None:
    fake.status = status
    async with store_at(url) as store:
        with pytest.raises(ProviderError) as caught:
            await store.count()
    assert (caught.value.code, caught.value.retryable) == ("qdrant_failed", True)


@pytest.mark.anyio
@pytest.mark.fault("F57")
async def test_bodies_stay_below_the_limit_and_hold_as_much_as_fits(fake: FakeQdrant, url: str) -> None:
    fake.body_limit = 4_000
    page = a_page(1, 60)
    async with store_at(url, max_body_bytes=4_000) as store:
        await store.open()
        await store.put_pages([page], checkpoint)
        assert await store.count() == 60
    bodies = [
        size for (method, _), size in zip(fake.requests, fake.body_sizes, strict=True) if method == "PUT"
    ]
    stored = [size for size in bodies if size > 500]
    assert max(stored) <= 4_000
    assert all(size > 4_000 - 800 for size in stored[:-1])


@pytest.mark.anyio
async def test_a_smaller_limit_than_usual_is_found_by_halving(fake: FakeQdrant, url: str) -> None:
    async with store_at(url) as store:
        await store.open()
        fake.body_limit = 3_000
        await store.put_pages([a_page(1, 40), a_page(2, 5)], checkpoint)
        assert await store.count() == 45


@pytest.mark.anyio
async def test_one_passage_that_is_refused_for_its_size_is_an_error(fake: FakeQdrant, url: str) -> None:
    async with store_at(url) as store:
        await store.open()
        fake.body_limit = 100
        with pytest.raises(ProviderError) as caught:
            await store.put_pages([a_page(1, 3)], checkpoint)
    assert caught.value.code == "qdrant_failed"


@pytest.mark.anyio
async def test_every_write_waits_until_it_is_durable(fake: FakeQdrant, url: str) -> None:
    async with store_at(url) as store:
        await store.open()
        await store.put_pages([a_page(1, 3)], checkpoint)
        await store.remove_pages([a_page(1, 3).page.source])
    writes = [path for method, path in fake.requests if "/points" in path and "count" not in path]
    assert all(path.endswith("?wait=true") for path in writes)
    assert len(writes) == 3


@pytest.mark.anyio
async def test_no_text_of_a_page_goes_there(fake: FakeQdrant, url: str) -> None:
    page = a_page(1, 3, words="unmistakable")
    async with store_at(url) as store:
        await store.open()
        await store.put_pages([page], checkpoint)
    stored = fake.engine.scroll(fake.names()[0], with_payload=True, with_vectors=True)[0]
    assert len(stored) == 3
    assert "unmistakable" not in repr(stored)


@pytest.mark.anyio
async def test_an_answer_of_another_form_is_an_error_and_no_crash(fake: FakeQdrant, url: str) -> None:
    asked = PassageQuery(("tide",), None, FusionMode.LEXICAL, 3, 3)
    async with store_at(url) as store:
        await store.open()
        await store.put_pages([a_page(1, 1)], checkpoint)
        fake.engine.delete_payload(fake.names()[0], ["content_hash"], points=[_only_id(fake)])
        with pytest.raises(ProviderError) as caught:
            await store.search(asked)
    assert caught.value.code == "qdrant_failed"


def _only_id(fake: FakeQdrant) -> str:
    (point,) = fake.engine.scroll(fake.names()[0])[0]
    return str(point.id)


def test_a_site_stands_for_the_hosts_below_it() -> None:
    assert sites_of("https://docs.python.org:443/3/") == ["docs.python.org", "python.org", "org"]
    assert sites_of("file:///tmp/a.txt") == []


def test_the_size_of_a_batch_is_that_of_its_body() -> None:
    points = [b'{"id":%d}' % i for i in range(100)]
    for limit in range(20, 400, 7):
        batch = Batch(limit)
        for point in points:
            if not batch.takes(point):
                break
            batch.add(point)
        n_taken = len(batch.points)
        assert n_taken == 1 or len(body_of(points[:n_taken])) <= limit < len(body_of(points[: n_taken + 1]))
