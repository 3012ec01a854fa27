// @ts-check
/** @type {Worker} */
let worker;

/** Send a message to a worker of its own Python and wait for the answer. @param {object} message */
function ask(message) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.value));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(message);
  });
}

/** Start Python anew, as a restart of the browser would. @param {string} code @param {string} given JSON */
async function restart(code, given) {
  worker?.terminate();
  worker = new Worker("scale_worker.js", { type: "module" });
  return ask({ kind: "start", code, given });
}

globalThis.bench = { restart, run: (/** @type {string} */ call) => ask({ kind: "run", call }) };
