// @ts-check
import { loadPyodide } from "../vendor/pyodide/pyodide.mjs";

const py = await loadPyodide({ indexURL: new URL("../vendor/pyodide/", import.meta.url).href });
const wheel = new URL("numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl", import.meta.url).href;
await py.loadPackage(wheel, { messageCallback: () => undefined });
postMessage(py.runPython("import numpy; numpy.__version__"));
