// @ts-check
// The steps that the engine takes when it measures the bundled model, taken without Python.

const N_PROMPT = 147; // as many tokens as the prompt that the engine measures with
const N_WRITTEN = 16;

const worker = new Worker("/js/model_worker.js", { type: "module" });
const { port1, port2 } = new MessageChannel();
worker.postMessage({ type: "connect", port: port2 }, [port2]);
let call = 0;

/** @param {object} request @returns {Promise<any>} */
function ask(request) {
  call += 1;
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => (data.name ? reject(new Error(data.message)) : resolve(data));
    port1.postMessage({ ...request, call });
  });
}

const opened = ask({ kind: "open", place: "packaged:smollm2", files: ["model_int8.onnx"], device: "wasm" });

globalThis.steps = async () => {
  const { decoder } = await opened;
  const run = (/** @type {number[]} */ tokens, /** @type {number} */ past) =>
    ask({ kind: "run", decoder, tokens: Int32Array.from(tokens), past, want: "top", k: 64, allow: null });
  const prompt = Array.from({ length: N_PROMPT }, (_, i) => 100 + ((i * 7919) % 40000));
  await run(prompt.slice(0, 1), 0);
  let token = (await run(prompt.slice(1), 1)).tokens[0];
  const started = performance.now();
  for (let n = 0; n < N_WRITTEN - 1; n += 1) token = (await run([token], N_PROMPT + n)).tokens[0];
  return (performance.now() - started) / (N_WRITTEN - 1);
};

/** What the engine takes for a token when it measures the model. @returns {Promise<number>} milliseconds */
globalThis.measured = async () => {
  await chrome.runtime.sendMessage({ to: "sw", verb: "ensure_engine", args: {} });
  const channel = new BroadcastChannel("tabwise");
  const id = crypto.randomUUID();
  const done = new Promise((resolve, reject) => {
    channel.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.re !== id) return;
      if (message.type === "done") resolve(1_000 / message.result.decode_per_s);
      else if (message.type === "error") reject(new Error(message.code));
    };
  });
  channel.postMessage(JSON.stringify({ v: 1, id, type: "model_measure", engine: "bundled" }));
  return done;
};
