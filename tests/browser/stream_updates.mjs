// node stream_updates.mjs <extension> <updates> <updates>: stream sentences of one answer into the panel's Python, each
// drawn into elements that hold nothing, and write as JSON what it holds after the first number and after both.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [extension, ...counts] = process.argv.splice(2);
const { instantiate } = WebAssembly;
let memory;
WebAssembly.instantiate = async (...module) => {
  const made = await instantiate(...module);
  memory = made.instance.exports.memory;
  return made;
};
const folder = path.join(extension, "vendor", "micropython");
const { loadMicroPython } = await import(pathToFileURL(path.join(folder, "micropython.mjs")).href);
const python = await loadMicroPython({ url: path.join(folder, "micropython.wasm") });
new Uint8Array(memory.buffer).set(fs.readFileSync(path.join(extension, "python", "ui.bin")));

const nothing = () => {};
const acts = ["setAttribute", "removeAttribute", "appendChild", "insertBefore", "removeChild", "replaceChildren"];
const element = () => Object.assign(Object.fromEntries(acts.map((act) => [act, nothing])), { value: "" });
globalThis.document = { createElement: element, createElementNS: element, createTextNode: element };
globalThis.root = element();
python.runPython(`
import gc, js, json
from tabwise.protocol import codec
from tabwise.ui import words
from tabwise.ui.memo import Memo
from tabwise.ui.patch import Patcher
from tabwise.ui.state import initial_state
from tabwise.ui.update import update
from tabwise.ui.view.frame import frame_view

words.use("en")
memo, patcher = Memo(10), Patcher(js.document, js.root)
panel = [initial_state()]
ids = iter(range(1000000))

def do(kind, **fields):
    event = {"type": kind, "id": "id-%d" % next(ids), "now": 1e12, "offset_min": 0}
    event.update(fields)
    panel[0], effects = update(panel[0], event)
    return effects

def stream(number):
    text = "Sentence %d says what it says." % number
    sentence = {"text": text, "citations": [], "verdict": "uncited", "reasons": []}
    do("wire", text=codec.encode_event(asked, "sentence", index=number % 12, sentence=sentence, citations=[]))
    memo.begin()
    patcher.draw(frame_view(panel[0], memo))
    return text

page = {name: 0 for name in ("n_words", "n_pages", "n_chunks", "n_removed", "n_total_chars", "n_read_chars")}
page.update({"source": "https://a.example/", "url": "https://a.example/", "title": "A", "no_captions": False})
page["captured_at"] = 0.0
do("boot", draft="", page="panel", browser_language="en")
stats = {"n_pages": 1, "n_chunks": 1, "n_vectors": 1, "size_bytes": 1, "model": "", "schema_version": 1}
ready = {"version": "", "stats": stats, "pages": [page], "semantic": True, "boot_ms": 1.0}
(hello,) = list(panel[0]["pending"])
do("wire", text=codec.encode_event(hello, "done", result=ready))
do("draft", value="Why?")
do("ask")
(asked,) = [name for name in panel[0]["pending"] if panel[0]["pending"][name]["kind"] == "ask"]
`);
const held = [];
let number = 0;
for (const count of counts.map(Number)) {
  for (const end = number + count; number < end; number += 1) python.runPython(`last = stream(${number})`);
  python.runPython("gc.collect()");
  python.runPython(`allocated, answer = gc.mem_alloc(), panel[0]["blocks"][-1]["sentences"]`);
  python.runPython(`is_shown = answer[${number - 1} % 12]["text"] == last`);
  held.push({
    is_shown: python.globals.get("is_shown"),
    allocated_bytes: python.globals.get("allocated"),
    memory_bytes: memory.buffer.byteLength,
    n_elements: globalThis.proxy_js_ref.filter((element) => element !== undefined).length,
  });
}
console.log(JSON.stringify(held));
