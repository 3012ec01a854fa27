// node make_ui_memory.mjs <folder> <target>: the memory of a MicroPython that has started as the browser starts it,
// imported our modules and learnt the words of every language. The folder holds MicroPython and made_from.json:
// {"sources": {path: text}, "modules": [name], "tables": [text]}.
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
const [folder, target] = process.argv.splice(2);
const { sources, modules, tables } = JSON.parse(fs.readFileSync(path.join(folder, "made_from.json"), "utf8"));
const { instantiate } = WebAssembly;
let memory;
WebAssembly.instantiate = async (...module) => {
  const made = await instantiate(...module);
  memory = made.instance.exports.memory;
  return made;
};
const { loadMicroPython } = await import(pathToFileURL(path.join(folder, "micropython.mjs")).href);
const python = await loadMicroPython({ url: path.join(folder, "micropython.wasm") });
for (const [file, source] of Object.entries(sources)) {
  python.FS.mkdirTree(`/lib/${path.posix.dirname(file)}`);
  python.FS.writeFile(`/lib/${file}`, source);
}
const steps = modules.map((name) => `import gc, ${name}`);
for (const [number, table] of tables.entries()) {
  python.FS.writeFile(`/${number}.json`, table);
  steps.push(`tabwise.ui.words.learn(open("/${number}.json").read())`);
}
// One by one and tidied in between, which is only done between calls: so the memory does not have to grow.
for (const step of steps) {
  python.runPython(step);
  python.runPython("gc.collect()");
}
const bytes = new Uint8Array(memory.buffer);
fs.writeFileSync(target, bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1));
