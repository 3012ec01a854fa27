// @ts-check
// The C interface of ONNX Runtime over the heap of its WebAssembly module: what the runtime's own JavaScript
// calls, without the copies between the heap and JavaScript. Memory is given back by whoever asked for it.

const TYPES = { float32: 1, int64: 7 };
const ON_CPU = 1;
const POINTER_BYTES = 4;
const NEEDED = /** @type {const} */ ([
  "_malloc",
  "_free",
  "setValue",
  "getValue",
  "lengthBytesUTF8",
  "stringToUTF8",
  "UTF8ToString",
  "_OrtCreateTensor",
  "_OrtReleaseTensor",
  "_OrtGetTensorData",
  "_OrtGetLastError",
  "_OrtFree",
  "_OrtRun",
]);

export class OrtHeap {
  #module;

  /** @param {OrtModule} module */
  constructor(module) {
    this.#module = module;
  }

  /**
   * @param {OrtModule | null} module
   * @returns {OrtHeap | null} null when it lacks what is called here: what it exports is not promised to stay
   */
  static over(module) {
    return module && NEEDED.every((name) => typeof module[name] === "function") ? new OrtHeap(module) : null;
  }

  /**
   * @param {number} size bytes
   * @returns {number} where they are
   */
  allocate(size) {
    const at = this.#module._malloc(size);
    if (at === 0) throw new RangeError(`out of memory: ${size} bytes`);
    return at;
  }

  /** @param {number} at */
  free(at) {
    this.#module._free(at);
  }

  /** @param {string} text */
  text(text) {
    const size = this.#module.lengthBytesUTF8(text) + 1;
    const at = this.allocate(size);
    this.#module.stringToUTF8(text, at, size);
    return at;
  }

  /**
   * The bytes as they are now; another view is needed after anything that may have made the heap grow.
   * @param {number} at
   * @param {number} size
   */
  bytes(at, size) {
    return new Uint8Array(this.buffer(), at, size);
  }

  /** The whole heap as it is now. */
  buffer() {
    this.#module.getValue(0, "i32"); // makes the module look at the heap anew, which a thread may have grown
    return this.#module.HEAPU8.buffer;
  }

  /**
   * A tensor over bytes of the heap, which stay those of the caller.
   * @param {"float32" | "int64"} type
   * @param {number} at
   * @param {number} size bytes
   * @param {number[]} shape
   */
  tensor(type, at, size, shape) {
    const dims = this.#pointers(shape);
    const tensor = this.#module._OrtCreateTensor(TYPES[type], at, size, dims, shape.length, ON_CPU);
    this.free(dims);
    if (tensor === 0) throw new Error(this.#lastError());
    return tensor;
  }

  /** @param {number} tensor */
  release(tensor) {
    this.#module._OrtReleaseTensor(tensor);
  }

  /**
   * @param {number} tensor
   * @returns {{ shape: number[], at: number }}
   */
  read(tensor) {
    const about = this.allocate(4 * POINTER_BYTES);
    const [type, data, dims, rank] = [0, 1, 2, 3].map((i) => about + i * POINTER_BYTES);
    try {
      if (this.#module._OrtGetTensorData(tensor, type, data, dims, rank) !== 0) throw new Error(this.#lastError());
      const shape = this.#read(this.#module.getValue(dims, "*"), this.#module.getValue(rank, "i32"));
      this.#module._OrtFree(this.#module.getValue(dims, "*"));
      return { shape, at: this.#module.getValue(data, "*") };
    } finally {
      this.free(about);
    }
  }

  /**
   * Run a session. Where no tensor is given for an output, the runtime makes one, which the caller releases.
   * @param {number} session
   * @param {number[][]} inputs names and tensors
   * @param {number[][]} outputs names and tensors, 0 for those to be made
   * @returns {Promise<number[]>} the tensors of the outputs
   */
  async run(session, inputs, outputs) {
    const areas = [inputs, outputs].flatMap((pairs) => [0, 1].map((i) => this.#pointers(pairs.map((pair) => pair[i]))));
    const [inputNames, inputTensors, outputNames, outputTensors] = areas;
    const [nInputs, nOutputs] = [inputs.length, outputs.length];
    try {
      const code = await this.#module._OrtRun(
        session,
        inputNames,
        inputTensors,
        nInputs,
        outputNames,
        nOutputs,
        outputTensors,
        0,
      );
      if (code !== 0) throw new Error(this.#lastError());
      return this.#read(outputTensors, nOutputs);
    } finally {
      areas.forEach((area) => this.free(area));
    }
  }

  /** @param {number[]} values */
  #pointers(values) {
    const at = this.allocate(Math.max(values.length, 1) * POINTER_BYTES);
    values.forEach((value, i) => this.#module.setValue(at + i * POINTER_BYTES, value, "i32"));
    return at;
  }

  /**
   * @param {number} at
   * @param {number} n
   */
  #read(at, n) {
    return Array.from({ length: n }, (_, i) => this.#module.getValue(at + i * POINTER_BYTES, "*"));
  }

  #lastError() {
    const at = this.allocate(2 * POINTER_BYTES);
    this.#module._OrtGetLastError(at, at + POINTER_BYTES);
    const text = this.#module.getValue(at + POINTER_BYTES, "*");
    this.free(at);
    return text ? this.#module.UTF8ToString(text) : "the runtime failed without a word";
  }
}
