// @ts-check
// What the browser said no to, under the names of HOST_ERRORS in tabwise/protocol/schema.py.

/** @typedef {keyof import("../protocol").HostErrors} HostErrorName */

export class HostFailure extends Error {
  /**
   * @param {HostErrorName} name
   * @param {string} message
   */
  constructor(name, message) {
    super(message);
    this.name = name;
  }
}

// Chromium's texts, used only where the browser gives no better sign; an unknown text is HostFailed.
/** @type {[RegExp, HostErrorName][]} */
const BROWSER_TEXTS = [
  [/^No tab with id|Frame with ID \d+ was removed|tab was closed/i, "TabGone"],
  [/No document with id|No frame with id|frame was navigated|Document was removed/i, "TabNavigated"],
  [/gallery cannot be scripted|Cannot access a chrome|chrome-extension:|error page/i, "SystemPage"],
  [
    /Cannot access contents|must request permission|cannot be scripted due to|Missing host permission/i,
    "NeedsPermission",
  ],
];

/**
 * Name an error thrown by an extension API.
 * @param {unknown} error
 * @returns {HostFailure}
 */
export function asHostFailure(error) {
  if (error instanceof HostFailure) return error;
  const text = error instanceof Error ? error.message : String(error);
  const match = BROWSER_TEXTS.find(([pattern]) => pattern.test(text));
  return new HostFailure(match ? match[1] : "HostFailed", text);
}

/**
 * The reply to a verb that failed.
 * @param {unknown} error
 */
export function failureReply(error) {
  const { name, message } = asHostFailure(error);
  return { ok: false, name, message };
}
