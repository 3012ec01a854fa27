// @ts-check
// The weights of a llama with int8 weights as `kernel/llama.wat` wants them, in the heap of ONNX Runtime: matrices
// with outputs for rows, so that the numbers that make up an output lie side by side. Read from a graph of
// `scripts/buildlib/llama_onnx.py`, by the names that its constants have there.

const FLOAT_BYTES = 4;
const WEIGHTS_BEHIND = 4; // the kernel takes four weights of tokens at a time

/** @typedef {import("./onnx_file.js").Constant} Constant */
/** @typedef {{ at: number, scales: number, nOutputs: number, nInputs: number }} Matrix */
/** @typedef {{ at: number, heads: number, width: number }} Cache */

export class LlamaWeights {
  #kernel;
  #heap;
  #constants;
  /** @type {Set<number>} */
  #taken = new Set();

  /**
   * @param {any} kernel
   * @param {import("./ort_heap.js").OrtHeap} heap
   * @param {Map<string, Constant>} constants
   */
  constructor(kernel, heap, constants) {
    this.#kernel = kernel;
    this.#heap = heap;
    this.#constants = constants;
  }

  /** How many tokens a text may have. */
  get nPlaces() {
    return this.#constant("cosines").shape[0];
  }

  /** Give all memory back. */
  release() {
    this.#taken.forEach((at) => this.#heap.free(at));
    this.#taken.clear();
  }

  /**
   * A constant as it is.
   * @param {string} name
   */
  vector(name) {
    return this.#placed(this.#constant(name).data);
  }

  /** The table of embeddings, which is the head as well. @returns {Matrix} */
  table() {
    const { shape, data } = this.#constant("table");
    return { at: this.#placed(data), scales: this.vector("table_scales"), nOutputs: shape[0], nInputs: shape[1] };
  }

  /**
   * @param {number} i
   * @param {Cache} keys
   * @param {Cache} values
   */
  layer(i, keys, values) {
    return {
      keys,
      values,
      norm: this.vector(`blk.${i}.attn_norm.weight`),
      qkv: this.#matrix(`layer${i}_qkv`),
      projected: this.#matrix(`layer${i}_projected`),
      feedNorm: this.vector(`blk.${i}.ffn_norm.weight`),
      gate: this.#matrix(`layer${i}_gate`),
      up: this.#matrix(`layer${i}_up`),
      down: this.#matrix(`layer${i}_down`),
    };
  }

  /**
   * Room for what a token is computed in.
   * @param {Matrix} table
   * @param {ReturnType<LlamaWeights["layer"]>} layer any of them
   */
  buffers({ nOutputs: nTokens, nInputs: width }, { qkv, projected, gate }) {
    const room = (/** @type {number} */ n) => this.#take(n * FLOAT_BYTES);
    return {
      x: room(width),
      branch: room(width),
      normal: room(width),
      codes: room(Math.max(width, projected.nInputs, gate.nOutputs)),
      qkv: room(qkv.nOutputs),
      attended: room(projected.nInputs),
      weights: room(this.nPlaces + WEIGHTS_BEHIND),
      gate: room(gate.nOutputs),
      up: room(gate.nOutputs),
      logits: room(nTokens),
    };
  }

  /**
   * A matrix that has inputs for rows in the file.
   * @param {string} name
   * @returns {Matrix}
   */
  #matrix(name) {
    const { shape, data } = this.#constant(`${name}_codes`);
    const [nInputs, nOutputs] = shape;
    const at = this.#take(data.length);
    const lying = this.#placed(data);
    this.#kernel.transpose(lying, at, nInputs, nOutputs);
    this.#taken.delete(lying);
    this.#heap.free(lying);
    return { at, scales: this.vector(`${name}_scales`), nOutputs, nInputs };
  }

  /** @param {Uint8Array} data */
  #placed(data) {
    const at = this.#take(data.length);
    this.#heap.bytes(at, data.length).set(data);
    return at;
  }

  /** @param {number} size */
  #take(size) {
    const at = this.#heap.allocate(size);
    this.#taken.add(at);
    return at;
  }

  /** @param {string} name */
  #constant(name) {
    const found = this.#constants.get(name);
    if (!found) throw new Error(`the model has no ${name}`);
    return found;
  }
}
