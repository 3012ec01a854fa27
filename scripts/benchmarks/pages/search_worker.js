// @ts-check
import { searchKernel, startPython } from "../js/python.js";

self.onmessage = async ({ data }) => {
  try {
    const py = await startPython(["python/numpy.zip", "python/tabwise.zip"]);
    py.registerJsModule("tabwise_host", await searchKernel(py));
    py.runPython(data.code);
    postMessage({ times: JSON.parse(py.globals.get("measure")(data.nChunks)) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
