"""A Qdrant for tests: HTTP in front of qdrant-client's own local engine, and ways to go wrong.

Every body is validated by qdrant-client's models, which are generated from the server's published interface
and refuse unknown fields, and is then executed by the engine that the client brings. On top of that it is as
strict as a cluster in Qdrant's cloud: it filters by indexed fields alone, and refuses bodies over its limit.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import TypeAdapter, ValidationError
from qdrant_client import QdrantClient
from qdrant_client.http import models

GREETING = {"title": "qdrant - vector search engine", "version": "1.19.0", "commit": "test"}
BODY_LIMIT_BYTES = 32 * 1024 * 1024


class FakeQdrant:
    """State of one server; the second block of attributes is its faults, which may change at any time."""

    def __init__(self) -> None:
        self.engine = QdrantClient(":memory:")
        self.indexes: dict[str, dict[str, Any]] = {}
        self.requests: list[tuple[str, str]] = []
        self.keys_seen: list[str] = []
        self.body_sizes: list[int] = []
        self.lock = threading.Lock()

        self.key = ""
        self.version = GREETING["version"]
        self.body_limit = BODY_LIMIT_BYTES
        self.html = False
        self.other_json = False
        self.redirect = ""
        self.prefix = ""  # it answers below this path only
        self.delay_s = 0.0
        self.status = 0  # answer everything but the greeting with this status
        self.dies_at_write: int | None = None  # the n-th write from now, counted from 1, is not answered
        self.is_dead = False

    def written(self) -> None:
        """Count a write towards the death that was planned."""
        if self.dies_at_write is not None:
            self.dies_at_write -= 1
            if self.dies_at_write <= 0:
                self.is_dead, self.dies_at_write = True, None
                raise ConnectionAbortedError

    def names(self) -> list[str]:
        return sorted(each.name for each in self.engine.get_collections().collections)

    def n_points(self, name: str) -> int:
        return self.engine.count(name).count


@contextmanager
def served(fake: FakeQdrant, port: int = 0) -> Iterator[str]:
    """Serve on the loopback interface; yields the address."""
    handler = type("Handler", (_Handler,), {"fake": fake})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Refused(Exception):
    """The status and the words of an error."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: FakeQdrant

    def log_message(self, *args: object) -> None:
        """Tests have no use for an access log."""

    def _handle(self) -> None:
        fake = self.fake
        n_bytes = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(n_bytes)
        fake.requests.append((self.command, self.path))
        fake.keys_seen.append(self.headers.get("api-key", ""))
        fake.body_sizes.append(n_bytes)
        time.sleep(fake.delay_s)
        if fake.is_dead:
            self._drop()
            return
        if fake.redirect:
            self.send_response(302)
            self.send_header("Location", fake.redirect)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if fake.html:
            self._send(200, b"<!doctype html><title>Sign in</title>", "text/html; charset=utf-8")
            return
        try:
            with fake.lock:
                self._answer(self.command, body, n_bytes)
        except ConnectionAbortedError:
            self._drop()

    do_GET = do_PUT = do_POST = do_DELETE = _handle

    def do_OPTIONS(self) -> None:
        self._send(200, b"", "text/plain")

    def _answer(self, method: str, body: bytes, n_bytes: int) -> None:
        fake = self.fake
        split = urlsplit(self.path)
        if fake.prefix and not split.path.startswith(fake.prefix + "/"):
            self._send(404, b"not found", "text/plain")
            return
        path = split.path.removeprefix(fake.prefix)
        if path == "/":
            greeting = {"hello": "world"} if fake.other_json else GREETING | {"version": fake.version}
            self._send_json(200, greeting)
            return
        if path.startswith("/dashboard"):  # served to everyone, as the greeting is
            self._send(200, b"<!doctype html><title>Qdrant Web UI</title>", "text/html")
            return
        if fake.key and self.headers.get("api-key") != fake.key:
            self._send(401, b"Must provide an API key or an Authorization bearer token", "text/plain")
            return
        if fake.status:
            self._send_json(fake.status, {"status": {"error": "planned"}, "time": 0.0})
            return
        if n_bytes > fake.body_limit:
            self._send(413, b"JSON payload is larger than allowed", "text/plain")
            return
        try:
            result = route(fake, method, path, parse_qs(split.query), body)
        except Refused as error:
            status, text = error.args
            self._send_json(status, {"status": {"error": text}, "time": 0.0})
        except (ValidationError, ValueError) as error:
            self._send_json(400, {"status": {"error": f"Format error in JSON body: {error}"}, "time": 0.0})
        else:
            self._send_json(200, {"result": result, "status": "ok", "time": 0.0})

    def _send_json(self, status: int, value: object) -> None:
        self._send(status, json.dumps(value).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "*")
        self.send_header("Access-Control-Allow-Methods", "*")
        self.end_headers()
        self.wfile.write(body)

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.close()


def route(fake: FakeQdrant, method: str, path: str, query: dict[str, list[str]], body: bytes) -> Any:
    """Execute one call; raises Refused."""
    parts = [unquote(part) for part in path.strip("/").split("/")]
    if parts[0] != "collections":
        raise Refused(404, "no such path")
    if len(parts) == 1:
        return {"collections": [{"name": name} for name in fake.names()]}
    name, call = parts[1], "/".join([method, *parts[2:]])
    if call == "PUT":
        return _create(fake, name, body)
    if name not in fake.names():
        raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
    operation = _CALLS.get(call)
    if operation is None:
        raise Refused(404, "no such path")
    if call in _WRITES:
        if query.get("wait") != ["true"]:
            raise Refused(400, "a write that does not wait")
        fake.written()
    return operation(fake, name, body)


def _create(fake: FakeQdrant, name: str, body: bytes) -> bool:
    wanted = models.CreateCollection.model_validate_json(body)
    if name in fake.names():
        raise Refused(409, f"Wrong input: Collection `{name}` already exists!")
    fake.written()
    fake.engine.create_collection(
        name,
        vectors_config=wanted.vectors,
        sparse_vectors_config=wanted.sparse_vectors,
        metadata=wanted.metadata,
    )
    fake.indexes[name] = {}
    return True


def _info(fake: FakeQdrant, name: str, body: bytes) -> Any:
    info = fake.engine.get_collection(name).model_dump(mode="json")
    fields = fake.indexes.get(name, {})
    info["payload_schema"] = {field: {"data_type": kind, "points": 0} for field, kind in fields.items()}
    return info


def _index(fake: FakeQdrant, name: str, body: bytes) -> Any:
    wanted = models.CreateFieldIndex.model_validate_json(body)
    schema = wanted.field_schema
    kind = schema.value if isinstance(schema, models.PayloadSchemaType) else schema.type.value
    fake.indexes.setdefault(name, {})[wanted.field_name] = kind
    return {"operation_id": 0, "status": "completed"}


def _upsert(fake: FakeQdrant, name: str, body: bytes) -> Any:
    wanted = models.PointsList.model_validate_json(body)
    fake.engine.upsert(name, wanted.points)
    return {"operation_id": 0, "status": "completed"}


def _delete(fake: FakeQdrant, name: str, body: bytes) -> Any:
    selector: Any = TypeAdapter(models.PointsSelector).validate_json(body)
    _require_indexed(fake, name, json.loads(body).get("filter"))
    fake.engine.delete(name, selector)
    return {"operation_id": 0, "status": "completed"}


def _count(fake: FakeQdrant, name: str, body: bytes) -> Any:
    wanted = models.CountRequest.model_validate_json(body)
    _require_indexed(fake, name, json.loads(body).get("filter"))
    return {"count": fake.engine.count(name, wanted.filter, exact=bool(wanted.exact)).count}


def _groups(fake: FakeQdrant, name: str, body: bytes) -> Any:
    wanted = models.QueryGroupsRequest.model_validate_json(body)
    raw = json.loads(body)
    for part in (raw, *raw.get("prefetch", ())):
        _require_indexed(fake, name, part.get("filter"))
    if wanted.group_by not in fake.indexes[name]:
        raise Refused(400, f'Bad request: Index required but not found for "{wanted.group_by}"')
    found = fake.engine.query_points_groups(
        name,
        group_by=wanted.group_by,
        query=wanted.query,
        using=wanted.using,
        prefetch=wanted.prefetch,
        query_filter=wanted.filter,
        search_params=wanted.params,
        limit=wanted.limit or 3,
        group_size=wanted.group_size or 3,
        with_payload=wanted.with_payload or False,
        with_vectors=wanted.with_vector or False,
    )
    return found.model_dump(mode="json")


def _require_indexed(fake: FakeQdrant, name: str, where: Any) -> None:
    for condition in _conditions(where or {}):
        if condition["key"] not in fake.indexes[name]:
            raise Refused(400, f'Bad request: Index required but not found for "{condition["key"]}"')


def _conditions(where: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for clause in ("must", "should", "must_not"):
        for condition in where.get(clause) or ():
            if "key" in condition:
                yield condition
            else:
                yield from _conditions(condition)


_CALLS: dict[str, Callable[[FakeQdrant, str, bytes], Any]] = {
    "GET": _info,
    "PUT/index": _index,
    "PUT/points": _upsert,
    "POST/points/delete": _delete,
    "POST/points/count": _count,
    "POST/points/query/groups": _groups,
}
_WRITES = {"PUT/index", "PUT/points", "POST/points/delete"}
