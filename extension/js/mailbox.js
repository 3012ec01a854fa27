// @ts-check
// A place in shared memory where the model worker is asked for the token it has computed already. A message each
// way would cost it a fortieth of a token, most of it in its event loop, which it need not go back to.
//
// The worker is there from one answer to the next look, while it computes ahead; whoever finds it away sends a
// message. One asks at a time, and whoever asks counts the messages that are sent, so that the worker goes to read
// them.

const AWAY = 0;
const THERE = 1;
const ASKED = 2;

const STATE = 0;
const N_SENT = 1;
const CALL = 2;
const DECODER = 3;
const TOKEN = 4;
const PAST = 5;
const LIKELIEST = 6;
const LOGIT = 7;
const N_CELLS = 8;

export class Mailbox {
  #cells;
  #floats;

  /** @param {SharedArrayBuffer} [buffer] of another's mailbox; memory of its own without */
  constructor(buffer = new SharedArrayBuffer(N_CELLS * Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#cells = new Int32Array(buffer);
    this.#floats = new Float32Array(buffer);
  }

  /**
   * Ask for the likeliest token behind one more.
   * @param {number} call
   * @param {{ decoder: number, tokens: Int32Array, past: number }} run
   * @returns {boolean} whether the worker is there
   */
  ask(call, { decoder, tokens: [token], past }) {
    if (Atomics.load(this.#cells, STATE) !== THERE) return false;
    this.#cells[CALL] = call;
    this.#cells[DECODER] = decoder;
    this.#cells[TOKEN] = token;
    this.#cells[PAST] = past;
    return Atomics.compareExchange(this.#cells, STATE, THERE, ASKED) === THERE;
  }

  /**
   * What was asked for, when it is answered.
   * @returns {Promise<{ call: number, tokens: Int32Array, logits: Float32Array }>}
   */
  async answered() {
    await Atomics.waitAsync(this.#cells, STATE, ASKED).value;
    return {
      call: this.#cells[CALL],
      tokens: this.#cells.slice(LIKELIEST, LIKELIEST + 1),
      logits: this.#floats.slice(LOGIT, LOGIT + 1),
    };
  }

  /** Count a message that is sent beside. */
  count() {
    Atomics.add(this.#cells, N_SENT, 1);
  }

  /** How many messages were sent. */
  get nSent() {
    return Atomics.load(this.#cells, N_SENT);
  }

  /** Be there to be asked. */
  come() {
    Atomics.store(this.#cells, STATE, THERE);
  }

  /**
   * Be there no longer.
   * @returns {boolean} false when something is asked, which is to be answered first
   */
  leave() {
    return Atomics.compareExchange(this.#cells, STATE, THERE, AWAY) === THERE;
  }

  /** What is asked, as a message would say it. */
  asked() {
    return {
      call: this.#cells[CALL],
      kind: "run",
      decoder: this.#cells[DECODER],
      tokens: this.#cells.slice(TOKEN, TOKEN + 1),
      past: this.#cells[PAST],
      want: "top",
      k: 1,
      allow: null,
    };
  }

  /**
   * Answer what is asked, and be there to be asked again.
   * @param {{ tokens: Int32Array, logits: Float32Array }} reply
   */
  answer({ tokens: [token], logits: [logit] }) {
    this.#cells[LIKELIEST] = token;
    this.#floats[LOGIT] = logit;
    Atomics.store(this.#cells, STATE, THERE);
    Atomics.notify(this.#cells, STATE);
  }
}
