// @ts-check
// The engine worker's line to the model worker: asks for it when first needed, fails every pending call when
// it is lost, and lets the next call ask anew.

const CALL_LIMIT_MS = 60_000;

/** @typedef {{ resolve: (value: Float32Array) => void, reject: (error: Error) => void, timer: number }} Pending */

export class ModelClient {
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  /** @type {PromiseWithResolvers<MessagePort> | null} */
  #port = null;
  #lastCall = 0;
  /** @type {(message: { type: "model_wanted" | "model_lost" }) => void} */
  #tellRouter;

  /** @param {(message: { type: "model_wanted" | "model_lost" }) => void} tellRouter */
  constructor(tellRouter) {
    this.#tellRouter = tellRouter;
  }

  /**
   * Embed token id rows, laid end to end; the buffers are transferred.
   * @param {Int32Array} flat
   * @param {Int32Array} lengths
   * @returns {Promise<Float32Array>}
   */
  async embed(flat, lengths) {
    if (!this.#port) {
      this.#port = Promise.withResolvers();
      this.#tellRouter({ type: "model_wanted" });
    }
    const { promise, resolve, reject } = Promise.withResolvers();
    const call = (this.#lastCall += 1);
    const timer = setTimeout(() => this.#giveUp(), CALL_LIMIT_MS);
    this.#pending.set(call, { resolve, reject, timer });
    void this.#port.promise.then((port) => {
      port.postMessage({ call, kind: "minilm", flat, lengths }, [flat.buffer, lengths.buffer]);
    });
    return promise;
  }

  /** @param {MessagePort} port */
  connect(port) {
    port.onmessage = ({ data }) => this.#settle(data);
    this.#port?.resolve(port);
  }

  /** The model worker died: every call in hand fails. */
  lost() {
    this.#port = null;
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(named("ModelLost", "the model worker was lost"));
    }
    this.#pending.clear();
  }

  #giveUp() {
    this.#tellRouter({ type: "model_lost" });
    this.lost();
  }

  /** @param {{ call: number, vectors?: Float32Array, name?: string, message?: string }} answer */
  #settle({ call, vectors, name, message }) {
    const pending = this.#pending.get(call);
    if (!pending) return;
    this.#pending.delete(call);
    clearTimeout(pending.timer);
    if (vectors) pending.resolve(vectors);
    else pending.reject(named(name ?? "ModelFailed", message ?? ""));
  }
}

/**
 * @param {string} name
 * @param {string} message
 */
function named(name, message) {
  const error = new Error(message);
  error.name = name;
  return error;
}
