// @ts-check
// A session on WebAssembly whose cache stays in the heap of the runtime: each step writes its keys and values
// behind those of the tokens before, in the same memory. The runtime's own `run` copies every output to
// JavaScript and every input back: behind 1,000 tokens of the bundled model 46 MB each way for each token.
//
// For float32 graphs with GroupQueryAttention: it takes memory that is longer than what counts of it, and reads
// from the mask how much does. Graphs of our own take single tokens another way (llama_step.js).
import { cacheInputs, integersOf, presentOf } from "./decoder_layout.js";
import { LlamaStep } from "./llama_step.js";
import { OrtHeap } from "./ort_heap.js";
import { ortModule } from "./ort_module.js";
import { Tensor } from "../vendor/ort/ort.jspi.min.mjs";

const PIECE_TOKENS = 256; // by which the cache grows
const FLOAT_BYTES = 4;
const INT_BYTES = 8;

/** @typedef {{ name: string, text: number }} Named */
/** @typedef {{ past: string, present: string, heads: number, width: number, at: number, tensor: number }} Part */

export class HeapSession {
  #heap;
  #session;
  /** @type {Named[]} */
  #inputs;
  /** @type {Named[]} */
  #outputs;
  /** @type {Part[]} */
  #parts;
  #capacity = 0;
  /** @type {LlamaStep | null} */
  #step = null;
  /** @type {{ token: number, past: number, values: Float32Array } | null} */
  #ahead = null;

  /**
   * @param {OrtHeap} heap
   * @param {any} session
   */
  constructor(heap, session) {
    this.#heap = heap;
    this.#session = session.handler.sessionId;
    const named = (/** @type {string} */ name) => ({ name, text: heap.text(name) });
    this.#inputs = session.inputNames.map(named);
    this.#outputs = session.outputNames.map(named);
    this.#parts = cacheInputs(session).map(({ name, shape }) => ({
      past: name,
      present: presentOf(name),
      heads: shape[1],
      width: shape[3],
      at: 0,
      tensor: 0,
    }));
  }

  /**
   * @param {any} session
   * @param {Uint8Array} model the file of the graph
   * @returns {Promise<HeapSession | null>} null when this runtime or the graph does not allow it
   */
  static async open(session, model) {
    const inputs = cacheInputs(session);
    const isFloat = inputs.length > 0 && inputs.every(({ type }) => type === "float32");
    const heap = OrtHeap.over(ortModule);
    if (!isFloat || !heap || !Number.isInteger(session.handler?.sessionId)) return null;
    if (!(await sharesItsCache(session, inputs))) return null;
    const opened = new HeapSession(heap, session);
    opened.#step = await LlamaStep.open(heap, model, opened.#parts);
    return opened;
  }

  /** Whether the cache stays where it is computed. */
  get keepsItsCache() {
    return true;
  }

  /** Whether single tokens are computed beside the runtime. */
  get hasOwnStep() {
    return this.#step !== null;
  }

  /**
   * Compute tokens behind the first `past` ones.
   * @param {Int32Array} tokens
   * @param {number} past
   * @param {number} nKept of how many tokens logits are wanted
   * @returns {Promise<{ values: Float32Array, rows: number, width: number }>}
   */
  async compute(tokens, past, nKept) {
    const ahead = this.#ahead;
    this.#ahead = null;
    this.#reserve(past + tokens.length, past);
    if (this.#step && tokens.length === 1 && past < this.#step.nPlaces) {
      const isThere = ahead?.token === tokens[0] && ahead.past === past;
      const values = isThere ? ahead.values : this.#step.compute(tokens[0], past, this.#capacity);
      return { values, rows: 1, width: values.length };
    }
    const given = integersOf(tokens, past, nKept);
    const held = new Map(this.#parts.flatMap(({ past: name, present, tensor }) => [
      [name, tensor],
      [present, tensor],
    ]));
    /** @type {{ at: number, tensor: number }[]} */
    const passing = [];
    const ints = (/** @type {string} */ name) => {
      passing.push(this.#ints(...given[name]));
      return passing[passing.length - 1].tensor;
    };
    try {
      const results = await this.#heap.run(
        this.#session,
        this.#inputs.map(({ name, text }) => [text, held.get(name) ?? ints(name)]),
        this.#outputs.map(({ name, text }) => [text, held.get(name) ?? 0]),
      );
      return this.#taken(results[this.#outputs.findIndex(({ name }) => name === "logits")]);
    } finally {
      for (const { at, tensor } of passing) {
        this.#heap.release(tensor);
        this.#heap.free(at);
      }
    }
  }

  /**
   * Compute a token before it is asked for, where that takes no memory. In the cache it stands behind all that
   * counts.
   * @param {number} token
   * @param {number} past
   * @returns {boolean} whether it was computed
   */
  computeAhead(token, past) {
    if (!this.#step || past >= Math.min(this.#capacity, this.#step.nPlaces)) return false;
    this.#ahead = { token, past, values: this.#step.compute(token, past, this.#capacity) };
    return true;
  }

  /**
   * The numbers of a tensor, which is released.
   * @param {number} tensor
   */
  #taken(tensor) {
    const { shape, at } = this.#heap.read(tensor);
    const [, rows, width] = shape;
    const bytes = this.#heap.bytes(at, rows * width * FLOAT_BYTES).slice();
    this.#heap.release(tensor);
    return { values: new Float32Array(bytes.buffer), rows, width };
  }

  /**
   * @param {BigInt64Array} values
   * @param {number[]} shape
   */
  #ints(values, shape) {
    const size = values.length * INT_BYTES;
    const at = this.#heap.allocate(size);
    this.#heap.bytes(at, size).set(new Uint8Array(values.buffer));
    return { at, tensor: this.#heap.tensor("int64", at, size, shape) };
  }

  /**
   * Make room for `total` tokens and keep the first `past` ones, part by part, so that little is held twice.
   * @param {number} total
   * @param {number} past
   */
  #reserve(total, past) {
    if (total <= this.#capacity) return;
    const capacity = Math.ceil(total / PIECE_TOKENS) * PIECE_TOKENS;
    for (const part of this.#parts) {
      const row = part.width * FLOAT_BYTES;
      const size = part.heads * capacity * row;
      const at = this.#heap.allocate(size);
      for (let head = 0; head < part.heads && past > 0; head += 1) {
        const kept = this.#heap.bytes(part.at + head * this.#capacity * row, past * row);
        this.#heap.bytes(at + head * capacity * row, past * row).set(kept);
      }
      this.#letGo(part);
      part.at = at;
      part.tensor = this.#heap.tensor("float32", at, size, [1, part.heads, capacity, part.width]);
    }
    this.#capacity = capacity;
  }

  /** @param {Part} part */
  #letGo({ at, tensor }) {
    if (tensor === 0) return;
    this.#heap.release(tensor);
    this.#heap.free(at);
  }
}

/**
 * Whether the graph reads from the mask how much of its cache counts: one token over a cache of one that the
 * mask leaves out comes back as one token, where a graph that appends gives two.
 * @param {any} session
 * @param {{ name: string, shape: number[] }[]} inputs
 */
async function sharesItsCache(session, inputs) {
  /** @type {Record<string, any>} */
  const given = {};
  for (const [name, [values, shape]] of Object.entries(integersOf(Int32Array.of(0), 0, 1))) {
    given[name] = new Tensor("int64", values, shape);
  }
  for (const { name, shape } of inputs) {
    const [, heads, , width] = shape;
    given[name] = new Tensor("float32", new Float32Array(heads * width), [1, heads, 1, width]);
  }
  const present = presentOf(inputs[0].name);
  const feeds = Object.fromEntries(session.inputNames.map((/** @type {string} */ name) => [name, given[name]]));
  try {
    return (await session.run(feeds, [present]))[present].dims[2] === 1;
  } catch {
    return false;
  }
}
