// node make_ui_memory.mjs <micropython folder> <sources> <target> <module,…>: the memory of a MicroPython that
// has started as the browser starts it and imported the modules of `sources`, a JSON object of texts by path.
//
// The clock stands still, so that the times of the files that were read are the same in every run.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const FIXED_TIME_MS = Date.UTC(2026, 0, 1);
globalThis.Date = class extends Date {
  constructor(...fields) {
    super(...(fields.length ? fields : [FIXED_TIME_MS]));
  }
  static now() {
    return FIXED_TIME_MS;
  }
};
performance.now = () => 0;

// Taken out of the arguments: MicroPython would read them as its own.
const [runtime, sources, target, modules] = process.argv.splice(2);
const { instantiate } = WebAssembly;
let memory;
WebAssembly.instantiate = async (...module) => {
  const made = await instantiate(...module);
  memory = made.instance.exports.memory;
  return made;
};
const { loadMicroPython } = await import(pathToFileURL(path.join(runtime, "micropython.mjs")).href);
const python = await loadMicroPython({ url: path.join(runtime, "micropython.wasm") });
for (const [file, source] of Object.entries(JSON.parse(fs.readFileSync(sources, "utf8")))) {
  python.FS.mkdirTree(`/lib/${path.posix.dirname(file)}`);
  python.FS.writeFile(`/lib/${file}`, source);
}
python.runPython(`import gc, ${modules}
gc.collect()`);
const bytes = new Uint8Array(memory.buffer);
fs.writeFileSync(target, bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1));
