// node make_snapshot.mjs <pyodide folder> <snapshot> <module,…> <archive> <module,…>: the memory of a Python
// that has started and imported modules of its own library, then modules of the archive.
//
// Everything that could differ between two runs is fixed: the hash seed, the environment, the clock and the
// random numbers Python draws while it starts. The time zone is fixed by the caller (TZ=UTC).
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
crypto.getRandomValues = (array) => array.fill(0);

// Taken out of the arguments: the program's own path would end up in the memory.
const [runtime, target, library, archive, ours] = process.argv.splice(1).slice(1);
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")).href);
const py = await loadPyodide({
  indexURL: runtime,
  _makeSnapshot: true,
  env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide", LANG: "en_US.UTF-8" },
});
// The archive's files are not part of the memory: whoever loads the snapshot unpacks it to the same place.
// Not by unpackArchive, which draws the name of a temporary file and leaves the dice in the memory.
py.FS.writeFile("/tmp/ours.zip", fs.readFileSync(archive));
py.runPython(`import ${library}, site
zipfile.ZipFile("/tmp/ours.zip").extractall(site.getsitepackages()[0])
importlib.invalidate_caches()
import ${ours}
random.seed(0)`);
fs.writeFileSync(target, py.makeMemorySnapshot());
