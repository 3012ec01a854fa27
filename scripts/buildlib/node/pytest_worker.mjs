// pytest_pyodide.mjs in a browser's module worker, as the engine runs. Answers with text as it comes, then
// with the result.
import { loadPyodide } from "/runtime/pyodide.mjs";
import { runPytest } from "/runner/pytest_pyodide.mjs";

const bytes = async (/** @type {string} */ url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

self.onmessage = async ({ data }) => {
  try {
    const result = await runPytest(loadPyodide, {
      indexURL: new URL("/runtime/", location.href).href,
      archives: await Promise.all(data.archives.map(bytes)),
      repository: await bytes(data.repository),
      args: data.args,
      write: (text) => postMessage({ text }),
    });
    postMessage({ result });
  } catch (error) {
    postMessage({ text: `${error}\n`, result: { exitCode: 3, junit: "" } });
  }
};
