// @ts-check
// Runs the models, each in a session made when first needed. Sessions are not re-entrant and share the
// cores, so one queue serves all.
import { heapBytes } from "./wasm_heap.js";
import * as ort from "../vendor/ort/ort.jspi.bundle.min.mjs";
import { Decoder } from "./decoder.js";

const ROOT = new URL("../", import.meta.url);
const MAX_THREADS = 4;

ort.env.wasm.wasmPaths = { wasm: new URL("vendor/ort/ort-wasm-simd-threaded.jspi.wasm", ROOT).href };
ort.env.wasm.numThreads = threads(navigator.hardwareConcurrency);
ort.env.logLevel = "error";

/**
 * Half the cores, since each thread spins while it waits; on two cores a second one only slows the page.
 * @param {number} cores
 */
function threads(cores) {
  return self.crossOriginIsolated && cores > 2 ? Math.min(MAX_THREADS, cores >> 1) : 1;
}

/** What a kind of embedder needs: its file, and how a message becomes feeds and results a message. */
const KINDS = {
  minilm: { file: "models/minilm/model.onnx", run: embed },
};

/** @type {Map<string, Promise<any>>} sessions by kind */
const sessions = new Map();
/** @type {Map<number, Decoder>} open language models by number */
const decoders = new Map();
let lastDecoder = 0;
/** @type {Promise<unknown>} */
let queue = Promise.resolve();

self.addEventListener("message", ({ data }) => {
  if (data.type === "connect") serve(data.port);
});

/** @param {MessagePort} port */
function serve(port) {
  port.onmessage = ({ data }) => {
    queue = queue
      .then(() => answer(data))
      .then(
        (reply) => port.postMessage({ call: data.call, ...reply }, buffersOf(reply)),
        (error) =>
          // Some failures of the runtime are thrown as numbers, addresses of what it could not say.
          port.postMessage({
            call: data.call,
            name: error?.name ?? typeof error,
            message: String(error?.message ?? error),
          }),
      );
  };
}

/** @param {object} reply */
function buffersOf(reply) {
  return Object.values(reply).filter(ArrayBuffer.isView).map((view) => view.buffer);
}

/** @param {any} request */
async function answer(request) {
  if (request.kind === "open") return openDecoder(request);
  if (request.kind === "run") return decoderOf(request.decoder).run(request);
  if (request.kind === "close") return closeDecoder(request.decoder);
  if (request.kind === "about") return { heap_bytes: heapBytes(), devices: await devices() };
  return { vectors: await embedded(request) };
}

/**
 * @param {{ kind: keyof typeof KINDS, flat: Int32Array, lengths: Int32Array }} request
 */
async function embedded({ kind, flat, lengths }) {
  if (!sessions.has(kind)) {
    const session = createSession(KINDS[kind].file);
    sessions.set(kind, session);
    session.catch(() => sessions.delete(kind));
  }
  return KINDS[kind].run(await sessions.get(kind), flat, lengths);
}

/** @param {{ place: string, files: string[], device: string }} request */
async function openDecoder({ place, files, device }) {
  const number = (lastDecoder += 1);
  decoders.set(number, await Decoder.open(ort, place, files, device));
  return { decoder: number };
}

/** @param {number} number */
function decoderOf(number) {
  const decoder = decoders.get(number);
  if (decoder) return decoder;
  const lost = new Error("this worker does not know the model");
  lost.name = "ModelLost";
  throw lost;
}

/** @param {number} number */
async function closeDecoder(number) {
  const decoder = decoders.get(number);
  decoders.delete(number);
  await decoder?.close();
  return {};
}

/** @returns {Promise<string[]>} where a model can run, the fastest first */
async function devices() {
  const adapter = await /** @type {any} */ (navigator).gpu?.requestAdapter().catch(() => null);
  return adapter ? ["webgpu", "wasm"] : ["wasm"];
}

/** @param {string} file */
async function createSession(file) {
  const response = await fetch(new URL(file, ROOT));
  const model = new Uint8Array(await response.arrayBuffer());
  return ort.InferenceSession.create(model, { executionProviders: ["wasm"], graphOptimizationLevel: "all" });
}

/**
 * One unit vector per row of token ids, rows padded to the longest.
 * @param {any} session
 * @param {Int32Array} flat ids of all rows, end to end
 * @param {Int32Array} lengths ids of each row
 * @returns {Promise<Float32Array>} rows of the embedding, end to end
 */
async function embed(session, flat, lengths) {
  const shape = [lengths.length, Math.max(...lengths)];
  const ids = new BigInt64Array(shape[0] * shape[1]);
  const mask = new BigInt64Array(ids.length);
  let from = 0;
  lengths.forEach((length, row) => {
    const at = row * shape[1];
    flat.subarray(from, from + length).forEach((id, column) => (ids[at + column] = BigInt(id)));
    mask.fill(1n, at, at + length);
    from += length;
  });
  const output = await session.run({
    input_ids: new ort.Tensor("int64", ids, shape),
    attention_mask: new ort.Tensor("int64", mask, shape),
  });
  const vectors = output.embedding.data.slice();
  output.embedding.dispose();
  return vectors;
}
