// @ts-check
/**
 * @param {string} code of a Python module with `measure(n_chunks)`
 * @param {number} nChunks
 */
function run(code, nChunks) {
  const worker = new Worker("search_worker.js", { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.times));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage({ code, nChunks });
  });
}

globalThis.bench = { run };
