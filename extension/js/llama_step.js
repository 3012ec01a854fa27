// @ts-check
// One token by a llama with int8 weights, computed by `kernel/llama.wat` beside ONNX Runtime and behind the tokens
// whose keys and values the runtime has left in the cache. The runtime is quick with the many tokens of a prompt
// and slow with a single one: its int8 product for WebAssembly repacks every matrix at every call.
//
// For the graphs of `scripts/buildlib/llama_onnx.py` alone, whose metadata say so. The weights are held a second
// time, in what the runtime gave back after loading them; where there is no memory the runtime does it all.
import { LlamaWeights } from "./llama_weights.js";
import { readOnnx } from "./onnx_file.js";
import { memoryOf } from "./wasm_heap.js";

const KERNEL = new URL("../llama.wasm", import.meta.url);
const LAYOUT = "llama-int8"; // what the metadata of such a graph say
const FLOAT_BYTES = 4;

/** @typedef {import("./llama_weights.js").Cache} Cache */
/** @typedef {import("./llama_weights.js").Matrix} Matrix */
/** @typedef {ReturnType<LlamaWeights["layer"]>} Layer */

export class LlamaStep {
  #kernel;
  #heap;
  #epsilon;
  #table;
  #layers;
  #lastNorm;
  #cosines;
  #sines;
  #buffers;
  #nHeads;

  /**
   * @param {any} kernel
   * @param {import("./ort_heap.js").OrtHeap} heap
   * @param {LlamaWeights} weights
   * @param {Cache[]} caches keys and values of each layer in turn
   * @param {number} epsilon of the norms
   */
  constructor(kernel, heap, weights, caches, epsilon) {
    this.#kernel = kernel;
    this.#heap = heap;
    this.#epsilon = epsilon;
    this.#table = weights.table();
    this.#layers = Array.from({ length: caches.length / 2 }, (_, i) =>
      weights.layer(i, caches[2 * i], caches[2 * i + 1]),
    );
    this.#lastNorm = weights.vector("output_norm.weight");
    this.#cosines = weights.vector("cosines");
    this.#sines = weights.vector("sines");
    this.#buffers = weights.buffers(this.#table, this.#layers[0]);
    this.nPlaces = weights.nPlaces;
    this.#nHeads = this.#layers[0].projected.nInputs / caches[0].width;
  }

  /**
   * @param {import("./ort_heap.js").OrtHeap} heap
   * @param {Uint8Array} model the file of the graph
   * @param {Cache[]} caches keys and values of each layer in turn
   * @returns {Promise<LlamaStep | null>} null for other graphs, and where there is no memory for it
   */
  static async open(heap, model, caches) {
    const { constants, metadata } = readOnnx(model);
    const memory = memoryOf(heap.buffer());
    if (metadata.get("layout") !== LAYOUT || !memory) return null;
    const source = await (await fetch(KERNEL)).arrayBuffer();
    const { exports } = (await WebAssembly.instantiate(source, { env: { memory } })).instance;
    const weights = new LlamaWeights(exports, heap, constants);
    try {
      return new LlamaStep(exports, heap, weights, caches, Number(metadata.get("norm_epsilon")));
    } catch (error) {
      weights.release();
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  /**
   * The logits of all tokens behind one more, whose keys and values join the cache.
   * @param {number} token
   * @param {number} past how many tokens are before it
   * @param {number} capacity how many the cache has room for
   * @returns {Float32Array} valid until the next step
   */
  compute(token, past, capacity) {
    const { x, branch, normal, logits } = this.#buffers;
    const { at, scales, nOutputs, nInputs: width } = this.#table;
    const [scale] = new Float32Array(this.#heap.buffer(), scales + token * FLOAT_BYTES, 1);
    this.#kernel.dequantize(at + token * width, scale, x, width);
    for (const layer of this.#layers) {
      this.#kernel.normalize(x, layer.norm, this.#epsilon, normal, width);
      this.#attend(layer, past, capacity);
      this.#kernel.add(x, branch, width);
      this.#kernel.normalize(x, layer.feedNorm, this.#epsilon, normal, width);
      this.#feed(layer);
      this.#kernel.add(x, branch, width);
    }
    this.#kernel.normalize(x, this.#lastNorm, this.#epsilon, normal, width);
    this.#multiply(normal, [[this.#table, logits]]);
    return new Float32Array(this.#heap.buffer(), logits, nOutputs);
  }

  /**
   * @param {Layer} layer
   * @param {number} past
   * @param {number} capacity
   */
  #attend({ qkv, keys, values, projected }, past, capacity) {
    const { branch, normal, attended, weights, qkv: queries } = this.#buffers;
    const [nHeads, nShared, width] = [this.#nHeads, keys.heads, keys.width];
    const row = width * FLOAT_BYTES;
    this.#multiply(normal, [[qkv, queries]]);
    const angles = (past * row) / 2;
    this.#kernel.rotate(queries, this.#cosines + angles, this.#sines + angles, nHeads + nShared, width);
    for (let head = 0; head < nShared; head += 1) {
      const place = (head * capacity + past) * row;
      this.#kernel.copy(keys.at + place, queries + (nHeads + head) * row, row);
      this.#kernel.copy(values.at + place, queries + (nHeads + nShared + head) * row, row);
    }
    const scale = 1 / Math.sqrt(width);
    for (let head = 0; head < nHeads; head += 1) {
      const place = Math.floor((head * nShared) / nHeads) * capacity * row;
      const [ofKeys, ofValues] = [keys.at + place, values.at + place];
      const [query, out] = [queries + head * row, attended + head * row];
      this.#kernel.attend(query, ofKeys, ofValues, scale, weights, out, past + 1, width);
    }
    this.#multiply(attended, [[projected, branch]]);
  }

  /** @param {Layer} layer */
  #feed(layer) {
    const { branch, normal, gate, up } = this.#buffers;
    this.#multiply(normal, [
      [layer.gate, gate],
      [layer.up, up],
    ]);
    this.#kernel.gate(gate, up, layer.gate.nOutputs);
    this.#multiply(gate, [[layer.down, branch]]);
  }

  /**
   * The products of one vector with matrices.
   * @param {number} vector
   * @param {[Matrix, number][]} products matrices, and where their products go
   */
  #multiply(vector, products) {
    const { codes } = this.#buffers;
    const factor = this.#kernel.quantize(vector, codes, products[0][0].nInputs);
    for (const [{ at, scales, nOutputs, nInputs }, out] of products) {
      this.#kernel.multiply(codes, at, scales, factor, out, nOutputs, nInputs);
    }
  }
}
