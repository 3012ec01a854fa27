// @ts-check
import { dotKernel, startPython } from "../js/python.js";

self.onmessage = async ({ data }) => {
  try {
    const py = await startPython(["python/numpy.zip", "python/tabwise.zip"]);
    const kernel = await dotKernel(py);
    py.registerJsModule("tabwise_host", { matvecInt8: kernel.matvec_i8 });
    py.runPython(data.code);
    postMessage({ times: JSON.parse(py.globals.get("measure")(data.nChunks)) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
