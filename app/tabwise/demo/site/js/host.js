// @ts-check
// What the engine's Python needs from JavaScript on this page: the tokenizer, the model's worker, the SIMD
// kernel. PyScript imports it into the worker; Python knows it as `tabwise_host`, as in the extension.
import "../vendor/tokenizers/index.js";
import { ModelClient } from "./model_client.js";

const ROOT = new URL("../", import.meta.url);

/** @param {string} path */
async function file(path) {
  const response = await fetch(new URL(path, ROOT));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

export const [tokenizerJson, descriptor, kernelModule] = await Promise.all([
  file("models/minilm/tokenizer.json").then((response) => response.text()),
  file("models/minilm/model.json").then((response) => response.text()),
  file("kernel.wasm").then(async (response) => WebAssembly.compile(await response.arrayBuffer())),
]);

const tokenizer = await globalThis.tokenizers.Tokenizer.fromJSON(new TextEncoder().encode(tokenizerJson).buffer);
const model = new ModelClient((message) => (message.type === "model_wanted" ? startModel() : stopModel()));
/** @type {Worker | null} */
let modelWorker = null;
/** @type {any} */
let kernel = null;

/**
 * The kernel works in Python's own memory, so matrices are passed by address.
 * @param {WebAssembly.Memory} memory
 */
export function startKernel(memory) {
  kernel = new WebAssembly.Instance(kernelModule, { env: { memory } }).exports;
}

/** @param {string} words */
export function encode(words) {
  return tokenizer.encode(words);
}

/**
 * @param {Int32Array} flat
 * @param {Int32Array} lengths
 */
export function embed(flat, lengths) {
  return model.embed(flat, lengths);
}

/** @param {number[]} addresses matrix, query, products, rows, columns */
export function matvecInt8(...addresses) {
  kernel.matvec_i8(...addresses);
}

function startModel() {
  modelWorker ??= new Worker(new URL("model_worker.js", import.meta.url), { type: "module", name: "model" });
  modelWorker.onerror = (event) => {
    event.preventDefault();
    stopModel();
    model.lost();
  };
  const { port1, port2 } = new MessageChannel();
  modelWorker.postMessage({ type: "connect", port: port1 }, [port1]);
  model.connect(port2);
}

function stopModel() {
  modelWorker?.terminate();
  modelWorker = null;
}
