"""A hub of models on this machine, with one model, that breaks off and lies as a test wants."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from loopback import Exchange, Loopback, reply
from tabwise.core.llm.catalogue import CatalogueEntry
from tiny_tokenizer import END

COMMIT = "a" * 40
ENTRY = CatalogueEntry(
    id="tiny",
    label="Tiny",
    repository="somebody/tiny",
    model="onnx/model_int8.onnx",
    device="wasm",
    licence="MIT",
    context_tokens=640,
    about_bytes=200_000,
)
CONFIG = {"max_position_embeddings": 640, "eos_token_id": END}
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}<|im_start|>assistant\n"
)


class Hub:
    """The model of the tests as the hub shows it; `cut_at` breaks the next download of the model off."""

    def __init__(self, server: Loopback, folder: Path, files: Mapping[str, bytes] | None = None) -> None:
        """The files of a language model in `folder`, or the ones given by path."""
        self.server = server
        self.files = (
            dict(files)
            if files is not None
            else {
                "config.json": json.dumps(CONFIG).encode(),
                "tokenizer.json": (folder / "tokenizer.json").read_bytes(),
                "tokenizer_config.json": json.dumps({"chat_template": TEMPLATE}).encode(),
                "onnx/model_int8.onnx": (folder / "model.onnx").read_bytes(),
                "onnx/model_q4.onnx": b"another",
            }
        )
        self.cut_at = 0
        self.knows_ranges = True
        self.ranges: list[str] = []
        api = "/api/models/somebody/tiny"
        server.script[f"{api}/revision/main"] = reply(200, {"sha": COMMIT})
        self.show(self.listing())
        for path in self.files:
            server.script[f"/somebody/tiny/resolve/{COMMIT}/{path}"] = self._give

    def show(self, listing: list[dict[str, object]]) -> None:
        """Have the hub list these files."""
        self.server.script[f"/api/models/somebody/tiny/tree/{COMMIT}"] = reply(200, listing)

    def listing(self) -> list[dict[str, object]]:
        listed: list[dict[str, object]] = [{"type": "directory", "path": "onnx", "oid": "x", "size": 0}]
        for path, data in self.files.items():
            git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
            one: dict[str, object] = {"type": "file", "path": path, "oid": git, "size": len(data)}
            if ".onnx" in path:
                one["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data)}
            listed.append(one)
        return listed

    async def _give(self, exchange: Exchange) -> None:
        path = exchange.seen.path.partition(f"{COMMIT}/")[2]
        data, asked = self.files[path], exchange.seen.headers.get("range", "")
        start = int(asked[6:-1]) if asked and self.knows_ranges else 0
        if asked:
            self.ranges.append(asked)
        await exchange.head(206 if start else 200, {"content-length": str(len(data) - start)})
        end = self.cut_at if path.endswith("int8.onnx") and self.cut_at else len(data)
        self.cut_at = 0 if path.endswith("int8.onnx") else self.cut_at
        await exchange.say(data[start:end])
