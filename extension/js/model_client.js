// @ts-check
// The engine worker's line to the model worker: asks for it when first needed, fails every pending call when
// it is lost, and lets the next call ask anew.

import { Mailbox } from "./mailbox.js";

const EMBED_LIMIT_MS = 60_000;
const MODEL_LIMIT_MS = 300_000; // a large model is loaded from disk, or computes a prompt on a slow machine

/** @typedef {{ resolve: (reply: any) => void, reject: (error: Error) => void, timer: number }} Pending */

export class ModelClient {
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  /** @type {PromiseWithResolvers<MessagePort> | null} */
  #port = null;
  /** @type {Mailbox | null} */
  #mailbox = null;
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
   * @param {string} place of the model's files, "" for the packaged one
   * @param {string[]} [files] the graph of a model that is not packaged, then its data
   * @param {string} [output] the name of what the graph gives, "" for the first
   * @returns {Promise<Float32Array>} what the graph gives, for all rows
   */
  async embed(flat, lengths, place = "", files, output) {
    const fields = { kind: "embed", place, flat, lengths, files, output };
    return (await this.#ask(fields, [flat.buffer, lengths.buffer], EMBED_LIMIT_MS)).vectors;
  }

  /**
   * Ask about a language model; the reply is that of the model worker without the number of the call.
   * @param {"open" | "run" | "about"} kind
   * @param {object} fields
   * @returns {Promise<any>}
   */
  async ask(kind, fields) {
    return this.#ask({ ...fields, kind }, [], MODEL_LIMIT_MS);
  }

  /** Start a worker anew: what was in the memory of the old one is gone. */
  restart() {
    this.#giveUp();
  }

  /**
   * @param {any} fields
   * @param {Transferable[]} transfer
   * @param {number} limitMs
   * @returns {Promise<any>}
   */
  #ask(fields, transfer, limitMs) {
    if (!this.#port) {
      this.#port = Promise.withResolvers();
      this.#tellRouter({ type: "model_wanted" });
    }
    const { promise, resolve, reject } = Promise.withResolvers();
    const call = (this.#lastCall += 1);
    const timer = setTimeout(() => this.#giveUp(), limitMs);
    this.#pending.set(call, { resolve, reject, timer });
    if (asksForOneToken(fields) && this.#mailbox?.ask(call, fields)) {
      void this.#mailbox.answered().then((answer) => this.#settle(answer));
    } else {
      void this.#port.promise.then((port) => this.#post(port, { call, ...fields }, transfer));
    }
    return promise;
  }

  /**
   * @param {MessagePort} port
   * @param {object} message
   * @param {Transferable[]} transfer
   */
  #post(port, message, transfer) {
    this.#mailbox?.count();
    port.postMessage(message, transfer);
  }

  /** @param {MessagePort} port */
  connect(port) {
    port.onmessage = ({ data }) => this.#settle(data);
    if (self.crossOriginIsolated) {
      this.#mailbox = new Mailbox();
      port.postMessage({ mailbox: this.#mailbox.buffer });
    }
    this.#port?.resolve(port);
  }

  /** The model worker died: every call in hand fails. */
  lost() {
    this.#port = null;
    this.#mailbox = null;
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

  /** @param {{ call: number, name?: string, message?: string }} answer */
  #settle({ call, name, message, ...reply }) {
    const pending = this.#pending.get(call);
    if (!pending) return;
    this.#pending.delete(call);
    clearTimeout(pending.timer);
    if (name === undefined) pending.resolve(reply);
    else pending.reject(named(name, message ?? ""));
  }
}

/**
 * Whether it is what the model worker computes before it is asked.
 * @param {any} fields
 */
function asksForOneToken({ want, k, allow, tokens }) {
  return want === "top" && k === 1 && !allow && tokens.length === 1;
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
