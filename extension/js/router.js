// @ts-check
// Requests in, events out: keeps every request until its terminal event, and brings it through the
// engine's death. Knows envelopes only; what a request means is the engine's affair.

const PROTOCOL_VERSION = 1;
const TERMINAL = new Set(["done", "error", "cancelled"]);
const N_REMEMBERED = 64;
const PING_EVERY_MS = 5_000;
const SILENCE_LIMIT_MS = 30_000;
const BOOT_LIMIT_MS = 90_000;
const CANCEL_LIMIT_MS = 1_000;
// Of engines in a row with nothing finished, or of engines that had the same request in hand.
const MAX_DEATHS = 3;
// Memory of WebAssembly never shrinks: an engine that grew this large is exchanged once it has nothing to do.
const MAX_IDLE_HEAP_BYTES = 1 << 30;

/**
 * @typedef {{ text: string, delivered: boolean, stoppedBy: string, nDeaths: number }} Job
 * @typedef {{ post: (message: any) => void, terminate: () => void }} Engine
 * @typedef {{ broadcast: (text: string) => void, startEngine: () => Engine }} Surroundings
 */

export class Router {
  /** @type {Map<string, Job>} */
  #jobs = new Map();
  /** @type {Map<string, string>} terminal events by request id, oldest first */
  #finished = new Map();
  /** @type {Engine | null} */
  #engine = null;
  #ready = false;
  #epoch = "";
  #deaths = 0;
  #lastHeardAt = 0;
  /** @type {Surroundings} */
  #around;

  /** @param {Surroundings} surroundings */
  constructor(surroundings) {
    this.#around = surroundings;
    setInterval(() => this.#watch(), PING_EVERY_MS);
    this.#start("starting");
  }

  /**
   * Take a request from a page. One without a usable id cannot be answered and is dropped.
   * @param {string} text
   */
  accept(text) {
    const { id, type, target } = parseEnvelope(text);
    if (typeof id !== "string" || id === "") return;
    this.#emit(id, "accepted", {});
    const terminal = this.#finished.get(id);
    if (terminal !== undefined) return this.#around.broadcast(terminal);
    if (this.#jobs.has(id)) return;
    this.#jobs.set(id, { text, delivered: false, stoppedBy: "", nDeaths: 0 });
    if (type === "cancel") this.#superviseCancel(id, String(target));
    if (!this.#engine) this.#start("restarting");
    this.#deliver();
  }

  /**
   * Take a message of the engine worker; `from` tells a late one of a terminated engine apart.
   * @param {Engine} from
   * @param {any} message
   */
  engineSaid(from, message) {
    if (from !== this.#engine) return;
    // A start that waits for something that never comes answers pings all the same.
    if (this.#ready) this.#lastHeardAt = Date.now();
    if (message.type === "ready") this.#becomeReady();
    else if (message.type === "event") this.#pass(message);
    else if (message.type === "restart") this.#restart("starting", "asked");
    else if (message.type === "fatal") this.engineDied(from, message.message);
  }

  /**
   * @param {Engine} from
   * @param {string} reason
   */
  engineDied(from, reason) {
    if (from !== this.#engine) return;
    this.#deaths += 1;
    for (const job of this.#jobs.values()) if (job.delivered) job.nDeaths += 1;
    this.#stop();
    if (this.#deaths < MAX_DEATHS) {
      this.#giveUp(reason, MAX_DEATHS);
      return this.#start("restarting", reason);
    }
    this.#deaths = 0;
    this.#notice("failed", reason);
    this.#giveUp(reason, 0);
  }

  /**
   * End the requests that were in the hands of so many engines that died.
   * @param {string} reason
   * @param {number} minDeaths
   */
  #giveUp(reason, minDeaths) {
    for (const [id, { nDeaths }] of this.#jobs) {
      if (nDeaths < minDeaths) continue;
      this.#finish(id, "error", { code: "engine_lost", subject: "", message: reason, retryable: true });
    }
  }

  /** @param {"starting" | "restarting"} state */
  #start(state, detail = "") {
    this.#epoch = crypto.randomUUID();
    this.#lastHeardAt = Date.now();
    this.#notice(state, detail);
    this.#engine = this.#around.startEngine();
  }

  /**
   * @param {"starting" | "restarting"} state
   * @param {string} detail
   */
  #restart(state, detail) {
    this.#stop();
    this.#start(state, detail);
  }

  #stop() {
    this.#engine?.terminate();
    this.#engine = null;
    this.#ready = false;
    for (const [id, job] of this.#jobs) {
      job.delivered = false;
      if (job.stoppedBy) this.#finishCancel(job.stoppedBy, id);
    }
  }

  #becomeReady() {
    this.#ready = true;
    this.#lastHeardAt = Date.now();
    this.#notice("ready", "");
    this.#deliver();
  }

  #deliver() {
    if (!this.#ready) return;
    for (const job of this.#jobs.values()) {
      if (job.delivered) continue;
      job.delivered = true;
      this.#engine?.post({ type: "request", text: job.text });
    }
  }

  /** @param {{ text: string, heap_bytes: number }} event of the engine */
  #pass({ text, heap_bytes }) {
    const { re, type } = parseEnvelope(text);
    const job = this.#jobs.get(re);
    if (!job) return;
    if (type === "set_aside") {
      this.#deaths = job.nDeaths = 0;
      return;
    }
    if (!TERMINAL.has(type)) return this.#around.broadcast(text);
    this.#deaths = 0;
    this.#settle(re, text);
    if (this.#jobs.size === 0 && heap_bytes > MAX_IDLE_HEAP_BYTES) this.#restart("starting", "memory");
  }

  /**
   * @param {string} id
   * @param {string} terminal text of its terminal event
   */
  #settle(id, terminal) {
    this.#jobs.delete(id);
    this.#finished.set(id, terminal);
    if (this.#finished.size > N_REMEMBERED) this.#finished.delete([...this.#finished.keys()][0]);
    this.#around.broadcast(terminal);
  }

  /**
   * Cancel what has not begun at once; give what runs a second, then take the engine from under it. Whatever
   * the engine is taken by, what was to stop is not begun anew.
   * @param {string} id
   * @param {string} target
   */
  #superviseCancel(id, target) {
    const job = this.#jobs.get(target);
    if (!job) return;
    if (!job.delivered) return this.#finishCancel(id, target);
    job.stoppedBy = id;
    setTimeout(() => {
      if (this.#jobs.has(target)) this.#restart("restarting", "a request did not stop");
    }, CANCEL_LIMIT_MS);
  }

  /**
   * @param {string} id
   * @param {string} target
   */
  #finishCancel(id, target) {
    this.#finish(target, "cancelled", {});
    if (this.#jobs.has(id)) this.#finish(id, "done", { result: { stopped: true } });
  }

  /** A healthy engine starts in time, and answers a ping between two steps; one silent with work in hand hangs. */
  #watch() {
    if (!this.#engine || (this.#ready && this.#jobs.size === 0)) {
      this.#lastHeardAt = Date.now();
      return;
    }
    const limit_ms = this.#ready ? SILENCE_LIMIT_MS : BOOT_LIMIT_MS;
    if (Date.now() - this.#lastHeardAt > limit_ms) return this.engineDied(this.#engine, "no sign of life");
    if (this.#ready) this.#engine.post({ type: "ping" });
  }

  /**
   * @param {string} id
   * @param {"error" | "cancelled" | "done"} type
   * @param {object} fields
   */
  #finish(id, type, fields) {
    this.#settle(id, JSON.stringify({ v: PROTOCOL_VERSION, re: id, type, ...fields }));
  }

  /**
   * @param {string} re
   * @param {string} type
   * @param {object} fields
   */
  #emit(re, type, fields) {
    this.#around.broadcast(JSON.stringify({ v: PROTOCOL_VERSION, re, type, ...fields }));
  }

  /**
   * @param {import("./protocol").Notices["engine"]["state"]} state
   * @param {string} detail
   */
  #notice(state, detail) {
    const notice = { v: PROTOCOL_VERSION, type: "engine", state, epoch: this.#epoch, detail };
    this.#around.broadcast(JSON.stringify(notice));
  }
}

/**
 * @param {string} text
 * @returns {any} an empty object when the text is no JSON object
 */
function parseEnvelope(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
