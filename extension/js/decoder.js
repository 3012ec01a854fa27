// @ts-check
// A causal language model in the usual layout of exports: input_ids, attention_mask, position_ids and
// past_key_values.* in, logits and present.* out. It keeps the cache; a handful of numbers leaves it.
import { InferenceSession, env } from "../vendor/ort/ort.jspi.min.mjs";
import { HeapSession } from "./heap_session.js";
import { readModelFile } from "./model_files.js";
import { TensorSession } from "./tensor_session.js";

/** @typedef {{ tokens: Int32Array, past: number, want: "nothing" | "top" | "verify" | "score", k: number, allow: Int32Array | null }} Run */

export class Decoder {
  #session;
  #isLost = false;
  /** @type {{ token: number, past: number } | null} what is likely to be asked for next */
  #next = null;

  /** @param {HeapSession | TensorSession} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * @param {string} place
   * @param {string[]} files the model, then the data files it refers to
   * @param {string} device "wasm" or "webgpu"
   */
  static async open(place, files, device) {
    const [model, ...data] = await Promise.all(files.map((name) => readModelFile(place, name)));
    const isOnGpu = device === "webgpu";
    const session = await InferenceSession.create(model, {
      executionProviders: [device],
      graphOptimizationLevel: "all",
      enableMemPattern: false, // a pattern is kept for every shape, and each step of a text has its own
      externalData: data.map((bytes, i) => ({ path: files[i + 1], data: bytes })),
      ...(isOnGpu ? { preferredOutputLocation: "gpu-buffer" } : {}),
    });
    const inHeap = isOnGpu ? null : await HeapSession.open(session, model);
    const decoder = new Decoder(inHeap ?? new TensorSession(session, isOnGpu));
    if (isOnGpu) void (await env.webgpu.device).lost.then(() => (decoder.#isLost = true));
    return decoder;
  }

  /** Whether the cache stays where it is computed. */
  get keepsItsCache() {
    return this.#session.keepsItsCache;
  }

  /** Whether single tokens are computed beside the runtime. */
  get hasOwnStep() {
    return this.#session.hasOwnStep;
  }

  /**
   * Compute tokens behind the first `past` ones.
   * @param {Run} run
   */
  async run({ tokens, past, want, k, allow }) {
    this.#next = null;
    try {
      const nKept = want === "score" || want === "verify" ? tokens.length : 1;
      const { values, rows, width } = await this.#session.compute(tokens, past, nKept);
      if (want === "nothing") return {};
      if (want === "top") {
        const likeliest = top(row(values, rows - 1, width), k, allow);
        if (k === 1 && !allow) this.#next = { token: likeliest.tokens[0], past: past + tokens.length };
        return likeliest;
      }
      const first = rows - tokens.length;
      if (want === "verify") {
        return { tokens: Int32Array.from(tokens, (_, i) => likeliest(row(values, first + i, width))) };
      }
      const scores = new Float32Array(tokens.length - 1);
      for (let i = 0; i < scores.length; i += 1) {
        scores[i] = logProbability(row(values, first + i, width), tokens[i + 1]);
      }
      return { scores };
    } catch (error) {
      if (!this.#isLost) throw error;
      const lost = new Error("the GPU was taken away");
      lost.name = "DeviceLost";
      throw lost;
    }
  }

  /**
   * Compute what is likely to be asked for next, while the one who asks looks at what was returned.
   * @returns {boolean} whether that was possible
   */
  goOn() {
    const next = this.#next;
    this.#next = null;
    return next !== null && this.#session.computeAhead(next.token, next.past);
  }
}

/**
 * @param {Float32Array} values
 * @param {number} number
 * @param {number} width
 */
function row(values, number, width) {
  return values.subarray(number * width, (number + 1) * width);
}

/**
 * The k largest of a row, largest first, equal ones by number.
 * @param {Float32Array} logits
 * @param {number} k
 * @param {Int32Array | null} allow numbers in rising order; null for all
 */
function top(logits, k, allow) {
  const size = Math.min(k, allow ? allow.length : logits.length);
  const tokens = new Int32Array(size);
  const values = new Float32Array(size).fill(-Infinity);
  const offer = (/** @type {number} */ token) => {
    const value = logits[token];
    if (!(value > values[size - 1])) return;
    let at = size - 1;
    for (; at > 0 && values[at - 1] < value; at -= 1) {
      values[at] = values[at - 1];
      tokens[at] = tokens[at - 1];
    }
    values[at] = value;
    tokens[at] = token;
  };
  if (allow) allow.forEach(offer);
  else for (let token = 0; token < logits.length; token += 1) offer(token);
  return { tokens, logits: values };
}

/** @param {Float32Array} logits */
function likeliest(logits) {
  let best = 0;
  for (let token = 1; token < logits.length; token += 1) if (logits[token] > logits[best]) best = token;
  return best;
}

/**
 * @param {Float32Array} logits
 * @param {number} token
 */
function logProbability(logits, token) {
  let largest = -Infinity;
  for (const value of logits) if (value > largest) largest = value;
  let sum = 0;
  for (const value of logits) sum += Math.exp(value - largest);
  return logits[token] - largest - Math.log(sum);
}
