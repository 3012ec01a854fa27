// @ts-check
// The browser's own language model (Prompt API). Only documents have it, so the offscreen document lends it: one
// session a completion, by the engine's number, read piece by piece.

/** @typedef {{ ok: true, value: object } | { ok: false, name: string, message: string }} Reply */
/** @typedef {{ stop: AbortController, model: any, reader: ReadableStreamDefaultReader<string> | null }} Session */

/** @type {Map<number, Session>} */
const sessions = new Map();

/** @type {Record<string, (args: any) => Promise<Reply>>} */
export const promptCalls = {
  prompt_state: () => answered(async () => ({ state: await state() })),
  prompt_open: (args) => answered(() => open(args)),
  prompt_measure: ({ session, text }) => answered(async () => ({ n_tokens: await measure(session, text) })),
  prompt_send: ({ session, text }) => answered(async () => send(session, text)),
  prompt_read: ({ session }) => answered(async () => ({ text: await read(session) })),
  prompt_close: ({ session }) => answered(async () => close(session)),
};

/** @returns {Promise<string>} */
async function state() {
  return "LanguageModel" in self ? self.LanguageModel.availability() : "unavailable";
}

/** @param {{ session: number, turns: object[] }} args */
async function open({ session, turns }) {
  const stop = new AbortController();
  /** @type {Session} */
  const opened = { stop, model: null, reader: null };
  sessions.set(session, opened);
  opened.model = await self.LanguageModel.create({ initialPrompts: turns, signal: stop.signal });
  const { contextWindow, contextUsage, inputQuota, inputUsage } = opened.model;
  return { context_tokens: contextWindow ?? inputQuota, used_tokens: contextUsage ?? inputUsage };
}

/**
 * @param {number} session
 * @param {string} text
 * @returns {Promise<number>}
 */
async function measure(session, text) {
  const { model } = opened(session);
  return model.measureContextUsage ? model.measureContextUsage(text) : model.measureInputUsage(text);
}

/**
 * @param {number} session
 * @param {string} text
 */
function send(session, text) {
  const { model, stop } = opened(session);
  opened(session).reader = model.promptStreaming(text, { signal: stop.signal }).getReader();
  return {};
}

/**
 * @param {number} session
 * @returns {Promise<string | null>} the next piece, null at the end
 */
async function read(session) {
  const result = await opened(session).reader?.read();
  return result?.value ?? null;
}

/** @param {number} session */
function close(session) {
  sessions.get(session)?.stop.abort();
  sessions.get(session)?.model?.destroy();
  sessions.delete(session);
  return {};
}

/** @param {number} session */
function opened(session) {
  const found = sessions.get(session);
  if (!found) throw new Error("no such session");
  return found;
}

/**
 * @param {() => Promise<object>} work
 * @returns {Promise<Reply>}
 */
async function answered(work) {
  try {
    return { ok: true, value: await work() };
  } catch (/** @type {any} */ error) {
    const name = error?.name === "QuotaExceededError" ? "PromptTooLong" : "PromptGone";
    return { ok: false, name, message: `${error?.name}: ${error?.message}` };
  }
}
