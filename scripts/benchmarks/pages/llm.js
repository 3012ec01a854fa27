// @ts-check
// The bundled language model by our model worker, by transformers.js on the same file, and by wllama on the
// GGUF file that ours was made from: one prompt, some tokens behind it, each timed in turn.
import { AutoModelForCausalLM, Tensor, env } from "/rival/transformers.js";
import { Wllama } from "/rival/wllama.js";

const PIECE = 128;
const THREADS = Number(new URLSearchParams(location.search).get("threads") ?? 1);

env.allowRemoteModels = false;
env.allowLocalModels = true;
env.localModelPath = "/rival/models/";
env.useBrowserCache = false;
env.backends.onnx.wasm.numThreads = THREADS;
env.backends.onnx.wasm.wasmPaths = new URL("/rival/", location.href).href;

const json = await (await fetch("/models/smollm2/tokenizer.json")).arrayBuffer();
const tokenizer = await globalThis.tokenizers.Tokenizer.fromJSON(json);

const worker = new Worker(`/js/model_worker.js?threads=${THREADS}`, { type: "module" });
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

/** @type {number | null} */
let decoder = null;

/** @param {number[]} tokens @param {number} past @param {"top" | "nothing"} want */
function run(tokens, past, want) {
  return ask({ kind: "run", decoder, tokens: Int32Array.from(tokens), past, want, k: 64, allow: null });
}

/** @param {number[]} prompt @param {number} n */
async function ours(prompt, n) {
  const place = { place: "packaged:smollm2", files: ["model_int8.onnx"], device: "wasm" };
  decoder ??= (await ask({ kind: "open", ...place })).decoder;
  const started = performance.now();
  let last = await run(prompt.slice(0, 1), 0, "top");
  for (let at = 1; at < prompt.length; at += PIECE) last = await run(prompt.slice(at, at + PIECE), at, "top");
  const prefilled = performance.now();
  const written = [last.tokens[0]];
  while (written.length < n) {
    const at = prompt.length + written.length - 1;
    written.push((await run(written.slice(-1), at, "top")).tokens[0]);
  }
  return { prefill_ms: prefilled - started, decode_ms: (performance.now() - prefilled) / (n - 1), written };
}

/** @type {any} */
let rival = null;

/** @param {number[]} prompt @param {number} n */
async function transformers(prompt, n) {
  rival ??= await AutoModelForCausalLM.from_pretrained("smollm2", { dtype: "q8", device: "wasm" });
  const ids = new Tensor("int64", BigInt64Array.from(prompt, BigInt), [1, prompt.length]);
  const mask = new Tensor("int64", new BigInt64Array(prompt.length).fill(1n), [1, prompt.length]);
  /** @type {number[]} */
  const times = [];
  const streamer = { put: () => times.push(performance.now()), end: () => undefined };
  const options = { max_new_tokens: n, min_new_tokens: n, do_sample: false, streamer };
  const started = performance.now();
  const output = await rival.generate({ input_ids: ids, attention_mask: mask, ...options });
  // The first call of the streamer is the prompt, the second the first token.
  const written = Array.from(output.data.slice(prompt.length), Number);
  return { prefill_ms: times[1] - started, decode_ms: (times[n] - times[1]) / (n - 1), written };
}

/** @type {any} */
let gguf = null;

/** @param {string} text @param {number} n */
async function wllama(text, n) {
  if (!gguf) {
    gguf = new Wllama({ default: "/rival/wllama.wasm" }, { suppressNativeLog: true });
    await gguf.loadModelFromUrl(`${location.origin}/rival/model.gguf`, { n_ctx: 2048, n_threads: THREADS });
  }
  const options = { prompt: text, max_tokens: n, temperature: 0, ignore_eos: true, cache_prompt: false };
  const { timings } = await gguf.createCompletion(options);
  return {
    prefill_ms: timings.prompt_ms,
    decode_ms: timings.predicted_ms / timings.predicted_n,
    n_prompt: timings.prompt_n,
  };
}

/** How many tokens a call may check at once: the time of one with 8 against one with 1, at 500 tokens. */
async function drafting() {
  const prompt = Array.from({ length: 500 }, (_, i) => 100 + ((i * 7919) % 40000));
  await run(prompt.slice(0, 1), 0, "nothing");
  await run(prompt.slice(1), 1, "nothing");
  /** @type {Record<number, number[]>} */
  const times = { 1: [], 8: [] };
  for (let round = 0; round < 8; round += 1) {
    for (const n of [1, 8]) {
      const started = performance.now();
      await run(prompt.slice(0, n), 500, "top");
      times[n].push(performance.now() - started);
    }
  }
  return times;
}

/** @param {number[]} prompt @param {number} known how many of its tokens the cache holds @returns {Promise<number>} ms */
async function firstToken(prompt, known) {
  const started = performance.now();
  if (known === 0) await run(prompt.slice(0, 1), 0, "nothing");
  for (let at = known || 1; at < prompt.length; at += PIECE) await run(prompt.slice(at, at + PIECE), at, "top");
  return performance.now() - started;
}

globalThis.bench = {
  encode: (/** @type {string} */ text) => [...tokenizer.encode(text)],
  decode: (/** @type {number[]} */ tokens) => tokenizer.decode(Int32Array.from(tokens)),
  ours,
  transformers,
  wllama,
  drafting,
  firstToken,
  about: () => ask({ kind: "about" }),
};
