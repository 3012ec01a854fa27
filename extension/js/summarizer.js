// @ts-check
// The browser's own summariser (Summarizer API). Only documents have it, so the offscreen document lends it.

/** @typedef {{ ok: true, value: object } | { ok: false, name: string, message: string }} Reply */

/** @type {Record<string, string>} */
const NAMES = { QuotaExceededError: "SummaryTooLong", NotSupportedError: "SummaryRefused" }; // the second: a language

let stop = new AbortController();

/** @type {Record<string, (args: any) => Promise<Reply>>} */
export const summarizerCalls = {
  summarizer_state: () => answered(async () => ({ state: await state() })),
  summarizer_write: (args) => answered(async () => ({ text: await write(args) })),
  summarizer_stop: () => answered(async () => (stop.abort(), {})),
};

/** @returns {Promise<string>} */
async function state() {
  return "Summarizer" in self ? self.Summarizer.availability() : "unavailable";
}

/** @param {{ text: string, context: string, language: string }} args */
async function write({ text, context, language }) {
  stop = new AbortController();
  const { signal } = stop;
  const options = { type: "tldr", format: "plain-text", length: "medium", outputLanguage: language, signal };
  const summarizer = await self.Summarizer.create(options);
  try {
    return await summarizer.summarize(text, { context, signal });
  } finally {
    summarizer.destroy();
  }
}

/**
 * @param {() => Promise<object>} work
 * @returns {Promise<Reply>}
 */
async function answered(work) {
  try {
    return { ok: true, value: await work() };
  } catch (/** @type {any} */ error) {
    return { ok: false, name: NAMES[error?.name] ?? "SummarizerGone", message: `${error?.name}: ${error?.message}` };
  }
}
