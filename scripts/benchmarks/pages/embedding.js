// @ts-check
// Embeds the same texts by our model worker and by transformers.js, in turn, and times both.
import "/vendor/tokenizers/index.js";
import { env, pipeline } from "/rival/transformers.js";

const CLS = 101;
const SEP = 102;
const MAX_TOKENS = 256;

env.allowRemoteModels = false;
env.allowLocalModels = true;
env.localModelPath = "/rival/models/";
env.useBrowserCache = false;
env.backends.onnx.wasm.numThreads = 1;
env.backends.onnx.wasm.wasmPaths = new URL("/rival/", location.href).href;

const rival = await pipeline("feature-extraction", "minilm", { dtype: "q8", device: "wasm" });

const json = await (await fetch("/models/minilm/tokenizer.json")).arrayBuffer();
const tokenizer = await globalThis.tokenizers.Tokenizer.fromJSON(json);
const worker = new Worker("/js/model_worker.js", { type: "module" });
const { port1, port2 } = new MessageChannel();
worker.postMessage({ type: "connect", port: port2 }, [port2]);
let last = 0;

/** @param {string} text @returns {Promise<Float32Array>} */
function ours(text) {
  const ids = tokenizer.encode(text).subarray(0, MAX_TOKENS - 2);
  const flat = Int32Array.from([CLS, ...ids, SEP]);
  const lengths = Int32Array.from([flat.length]);
  const call = (last += 1);
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => (data.vectors ? resolve(data.vectors) : reject(new Error(data.message)));
    port1.postMessage({ call, kind: "embed", place: "", flat, lengths }, [flat.buffer, lengths.buffer]);
  });
}

/** @param {string} text @returns {Promise<Float32Array>} */
async function theirs(text) {
  return (await rival(text, { pooling: "mean", normalize: true })).data;
}

/**
 * @param {(text: string) => Promise<Float32Array>} embed
 * @param {string[]} texts
 */
async function timed(embed, texts) {
  const start = performance.now();
  const vectors = [];
  for (const text of texts) vectors.push(await embed(text));
  return { ms: performance.now() - start, vectors };
}

/**
 * @param {string[]} texts
 * @param {number} rounds
 */
async function compare(texts, rounds) {
  const times = { ours: [], theirs: [], least_cosine: 1 };
  await timed(ours, texts.slice(0, 2));
  await timed(theirs, texts.slice(0, 2));
  for (let round = 0; round < rounds; round += 1) {
    const a = await timed(ours, texts);
    const b = await timed(theirs, texts);
    times.ours.push(a.ms);
    times.theirs.push(b.ms);
    a.vectors.forEach((vector, i) => {
      const cosine = vector.reduce((sum, value, k) => sum + value * b.vectors[i][k], 0);
      times.least_cosine = Math.min(times.least_cosine, cosine);
    });
  }
  return times;
}

globalThis.bench = { compare };
