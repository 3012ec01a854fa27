// @ts-check
// Starts Python in a worker: the interpreter from its memory snapshot, our archives, the SIMD kernel.
import { loadPyodide } from "../vendor/pyodide/pyodide.mjs";

const ROOT = new URL("../", import.meta.url);

/**
 * @param {string} path of a file beside this script's folder
 * @returns {Promise<ArrayBuffer>}
 */
export async function bytes(path) {
  const response = await fetch(new URL(path, ROOT));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.arrayBuffer();
}

/**
 * Python with archives of modules on its path, in the order given.
 * @param {readonly string[]} archives
 * @returns {Promise<any>}
 */
export async function startPython(archives) {
  const packages = Promise.all(archives.map(bytes));
  const py = await loadPyodide({
    indexURL: new URL("vendor/pyodide/", ROOT).href,
    // A memory snapshot of the started interpreter, made by the build; several times faster than starting it.
    _loadSnapshot: bytes("vendor/pyodide/snapshot.bin"),
  });
  for (const archive of await packages) unpack(py, archive);
  reseed(py);
  return py;
}

/**
 * The snapshot froze the generator's state: without a new seed every start would draw the same numbers.
 * @param {any} py
 */
export const reseed = (py) => py.runPython("import random; random.seed()");

/**
 * @param {any} py
 * @param {ArrayBuffer} archive
 */
export function unpack(py, archive) {
  py.unpackArchive(archive, "zip", { extractDir: py.runPython("import site; site.getsitepackages()[0]") });
  py.runPython("import importlib; importlib.invalidate_caches()");
}

/**
 * The kernel works in Python's own memory, so arrays are passed by address.
 * @param {any} py
 * @returns {Promise<any>} its functions, as Python asks its host for them
 */
export async function searchKernel(py) {
  const source = fetch(new URL("kernel.wasm", ROOT));
  const { instance } = await WebAssembly.instantiateStreaming(source, { env: { memory: py._module.memory } });
  const { scaled_products, add_postings, count_above } = /** @type {any} */ (instance.exports);
  return { scaledProducts: scaled_products, addPostings: add_postings, countAbove: count_above };
}
