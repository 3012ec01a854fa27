// @ts-check
// A session through the runtime's own interface: on a GPU, where the cache stays as long as its tensors do, and
// for graphs on WebAssembly that append to their cache, which is copied at every step.
import { cacheInputs, integersOf, presentOf } from "./decoder_layout.js";
import { Tensor } from "../vendor/ort/ort.jspi.min.mjs";

export class TensorSession {
  #session;
  #isOnGpu;
  /** @type {Record<string, any>} */
  #cache = {};

  /**
   * @param {any} session
   * @param {boolean} isOnGpu
   */
  constructor(session, isOnGpu) {
    this.#session = session;
    this.#isOnGpu = isOnGpu;
  }

  /** Whether the cache stays where it is computed. */
  get keepsItsCache() {
    return this.#isOnGpu;
  }

  /** Whether single tokens are computed beside the runtime. */
  get hasOwnStep() {
    return false;
  }

  /** Compute a token before it is asked for: nothing here, where it would take another's turn. */
  computeAhead() {
    return false;
  }

  /**
   * Compute tokens behind the first `past` ones.
   * @param {Int32Array} tokens
   * @param {number} past
   * @param {number} nKept of how many tokens logits are wanted
   * @returns {Promise<{ values: Float32Array, rows: number, width: number }>}
   */
  async compute(tokens, past, nKept) {
    const all = this.#held(past);
    for (const [name, [values, shape]] of Object.entries(integersOf(tokens, past, nKept))) {
      all[name] = new Tensor("int64", values, shape);
    }
    const output = await this.#session.run(
      Object.fromEntries(this.#session.inputNames.map((/** @type {string} */ name) => [name, all[name]])),
    );
    this.#release();
    for (const { name } of cacheInputs(this.#session)) this.#cache[name] = output[presentOf(name)];
    const [, rows, width] = output.logits.dims;
    return { values: this.#isOnGpu ? await output.logits.getData(true) : output.logits.data, rows, width };
  }

  /**
   * The cache of the first `past` tokens. On the GPU it stays as long as it is: the operator reads from the
   * mask how much of it counts.
   * @param {number} past
   */
  #held(past) {
    /** @type {Record<string, any>} */
    const held = {};
    for (const { name, type, shape } of cacheInputs(this.#session)) {
      const cached = this.#cache[name];
      if (cached && past > 0) held[name] = this.#isOnGpu ? cached : this.#cut(cached, past);
      else held[name] = new Tensor(type, new (arrayOf(type))(0), [1, shape[1], 0, shape[3]]);
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
    return new Tensor(tensor.type, kept, [1, heads, length, width]);
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

