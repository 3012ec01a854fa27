// @ts-check
import { searchKernel, startPython } from "../js/python.js";

self.onmessage = async ({ data }) => {
  try {
    const py = await startPython(["python/numpy.zip", "python/tabwise.zip"]);
    const kernel = await searchKernel(py);
    py.registerJsModule("tabwise_host", {
      scaledProducts: kernel.scaled_products,
      addPostings: kernel.add_postings,
      countAbove: kernel.count_above,
    });
    py.runPython(data.code);
    postMessage({ times: JSON.parse(py.globals.get("measure")(data.nChunks)) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
