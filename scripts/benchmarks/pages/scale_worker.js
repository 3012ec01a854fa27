// @ts-check
import { openPool, opfsFileSystem } from "../js/opfs_fs.js";
import { searchKernel, startPython } from "../js/python.js";

/** @type {any} */
let py;

self.onmessage = async ({ data }) => {
  try {
    if (data.kind === "start") postMessage({ value: await start(data.code, data.given) });
    else postMessage({ value: await py.runPythonAsync(data.call) });
  } catch (error) {
    postMessage({ error: String(error).slice(-600) });
  }
};

/** @param {string} code @param {string} given */
async function start(code, given) {
  py = await startPython(["python/numpy.zip", "python/tabwise.zip"]);
  const { type, flush } = opfsFileSystem(py.FS, await openPool("bench", ["library.db", "library.db-journal"]));
  py.FS.mkdirTree("/library");
  py.FS.mount(type, {}, "/library");
  py.registerJsModule("tabwise_host", {
    ...(await searchKernel(py)),
    flushLibrary: flush,
    heapBytes: () => py._module.HEAPU8.length,
  });
  py.globals.set("given", given);
  await py.runPythonAsync(code);
  return py.globals.get("ready");
}
