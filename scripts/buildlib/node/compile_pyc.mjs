// node compile_pyc.mjs <pyodide folder> <archive|wheel> <sources.zip> <compiled.zip>: see pyc_archive.py.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, kind, sources, compiled] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")).href);
const py = await loadPyodide({ indexURL: runtime, env: { PYTHONHASHSEED: "0" } });
py.FS.writeFile("/tmp/sources.zip", fs.readFileSync(sources));
py.runPython(fs.readFileSync(new URL("pyc_archive.py", import.meta.url), "utf8"));
py.runPython(`compile_${kind}("/tmp/sources.zip", "/tmp/compiled.zip")`);
fs.writeFileSync(compiled, py.FS.readFile("/tmp/compiled.zip"));
