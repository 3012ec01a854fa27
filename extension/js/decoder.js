// @ts-check
// A causal language model in the usual layout of exports: input_ids, attention_mask, position_ids and
// past_key_values.* in, logits and present.* out. It keeps the cache; a handful of numbers leaves it.
import { readModelFile } from "./model_files.js";

/** @typedef {{ tokens: Int32Array, past: number, want: "nothing" | "top" | "verify" | "score", k: number, allow: Int32Array | null }} Run */

export class Decoder {
  /** @type {any} */
  #ort;
  /** @type {any} */
  #session;
  /** @type {Record<string, any>} */
  #cache = {};
  #isLost = false;
  #isOnGpu = false;

  /**
   * @param {any} ort
   * @param {string} place
   * @param {string[]} files the model, then the data files it refers to
   * @param {string} device "wasm" or "webgpu"
   */
  static async open(ort, place, files, device) {
    const [model, ...data] = await Promise.all(files.map((name) => readModelFile(place, name)));
    const decoder = new Decoder();
    decoder.#ort = ort;
    decoder.#isOnGpu = device === "webgpu";
    decoder.#session = await ort.InferenceSession.create(model, {
      executionProviders: [device],
      graphOptimizationLevel: "all",
      externalData: data.map((bytes, i) => ({ path: files[i + 1], data: bytes })),
      ...(decoder.#isOnGpu ? { preferredOutputLocation: "gpu-buffer" } : {}),
    });
    if (decoder.#isOnGpu) void (await ort.env.webgpu.device).lost.then(() => (decoder.#isLost = true));
    return decoder;
  }

  /**
   * Compute tokens behind the first `past` ones.
   * @param {Run} run
   */
  async run({ tokens, past, want, k, allow }) {
    try {
      const logits = await this.#compute(tokens, past, want === "score" || want === "verify" ? tokens.length : 1);
      const [, rows, width] = logits.dims;
      const values = this.#isOnGpu ? await logits.getData(true) : logits.data;
      if (want === "nothing") return {};
      if (want === "top") return top(row(values, rows - 1, width), k, allow);
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
   * @param {Int32Array} tokens
   * @param {number} past
   * @param {number} nKept of how many tokens logits are wanted
   */
  async #compute(tokens, past, nKept) {
    const { Tensor } = this.#ort;
    const n = tokens.length;
    const ints = (/** @type {ArrayLike<number>} */ values, /** @type {number[]} */ shape) =>
      new Tensor("int64", BigInt64Array.from(values, BigInt), shape);
    /** @type {Record<string, any>} */
    const all = {
      input_ids: ints(tokens, [1, n]),
      attention_mask: new Tensor("int64", new BigInt64Array(past + n).fill(1n), [1, past + n]),
      position_ids: ints(
        Array.from(tokens, (_, i) => past + i),
        [1, n],
      ),
      num_logits_to_keep: ints([nKept], []),
      ...this.#held(past),
    };
    const output = await this.#session.run(
      Object.fromEntries(this.#session.inputNames.map((/** @type {string} */ name) => [name, all[name]])),
    );
    this.#release();
    for (const [name, tensor] of Object.entries(output)) {
      if (name.startsWith("present.")) this.#cache[name.replace("present", "past_key_values")] = tensor;
    }
    return output.logits;
  }

  /**
   * The cache of the first `past` tokens. On the GPU it stays as long as it is: the operator reads from the
   * mask how much of it counts.
   * @param {number} past
   */
  #held(past) {
    /** @type {Record<string, any>} */
    const held = {};
    for (const { name, type, shape } of this.#session.inputMetadata) {
      if (!name.startsWith("past_key_values.")) continue;
      const cached = this.#cache[name];
      if (cached && past > 0) held[name] = this.#isOnGpu ? cached : this.#cut(cached, past);
      else held[name] = new this.#ort.Tensor(type, new (arrayOf(type))(0), [1, shape[1], 0, shape[3]]);
    }
    return held;
  }

  /**
   * @param {any} tensor (1, heads, length, width)
   * @param {number} length
   */
  #cut(tensor, length) {
    const [, heads, whole, width] = tensor.dims;
    if (length === whole) return tensor;
    const kept = new tensor.data.constructor(heads * length * width);
    for (let head = 0; head < heads; head += 1) {
      const from = head * whole * width;
      kept.set(tensor.data.subarray(from, from + length * width), head * length * width);
    }
    return new this.#ort.Tensor(tensor.type, kept, [1, heads, length, width]);
  }

  #release() {
    if (this.#isOnGpu) for (const tensor of Object.values(this.#cache)) tensor.dispose();
    this.#cache = {};
  }
}

/** @param {string} type */
function arrayOf(type) {
  return type === "float16" ? Uint16Array : Float32Array;
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
