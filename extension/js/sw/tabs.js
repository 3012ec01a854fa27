// @ts-check
// Small facts about tabs and addresses, and running one of our page scripts in a tab.
import { HostFailure, asHostFailure } from "./failure.js";

const SCRIPT_TIMEOUT_MS = 10_000;
const READABLE = /^(https?|file):/;
const CLOSED =
  /^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore|microsoftedge\.microsoft\.com\/addons)(\/|$)/;

/**
 * The address without its fragment: what tells one document from another.
 * @param {string | undefined} url
 */
export function withoutFragment(url) {
  return (url ?? "").replace(/#.*$/s, "");
}

/**
 * The tab, if it can be read at all.
 * @param {number} tabId
 */
export async function readableTab(tabId) {
  const tab = await chrome.tabs.get(tabId).catch(() => {
    throw new HostFailure("TabGone", `no tab ${tabId}`);
  });
  if (tab.incognito) throw new HostFailure("TabIsPrivate", "incognito tab");
  // A frozen tab neither runs nor refuses a script: asking it would only run into the time limit.
  if (tab.discarded || tab.frozen) throw new HostFailure("TabAsleep", "tab is discarded or frozen");
  const url = tab.url ?? "";
  if (!READABLE.test(url) || CLOSED.test(url)) throw new HostFailure("SystemPage", url);
  if (url.startsWith("file:") && !(await chrome.extension.isAllowedFileSchemeAccess())) {
    throw new HostFailure("FileAccessOff", url);
  }
  return tab;
}

/**
 * What the document of a tab is; the browser's PDF viewer says application/pdf.
 * @param {number} tabId
 * @returns {Promise<string>}
 */
export async function contentType(tabId) {
  const [found] = await inTab(tabId, { target: { tabId }, func: () => document.contentType });
  return found?.result ?? "";
}

/**
 * Put scripts of ours into a tab and call the function it leaves behind, in the document it was put
 * into: a navigation between the two is an error, not a call in the wrong page.
 * @param {number} tabId
 * @param {string[]} files scripts, the last of which defines `globalThis[entry]`
 * @param {"tabwiseCapture" | "tabwiseHighlight" | "tabwiseVoice"} entry
 * @param {unknown[]} args
 */
export async function callInPage(tabId, files, entry, args) {
  const [loaded] = await inTab(tabId, { target: { tabId }, files });
  if (!loaded) throw new HostFailure("TabNavigated", "no document to read");
  const target = { tabId, documentIds: [loaded.documentId] };
  const [called] = await inTab(tabId, { target, func: callEntry, args: [entry, args] });
  // A document that goes away during the call gives null, not an error.
  if (called?.result == null) throw new HostFailure("TabNavigated", "the document went away");
  return called.result;
}

/**
 * Run a script in a tab. Of a document that went away the browser says the same whether its tab was closed or went
 * elsewhere; which it was is looked up.
 * @param {number} tabId
 * @param {chrome.scripting.ScriptInjection<any[], any>} injection
 * @returns {Promise<chrome.scripting.InjectionResult<any>[]>}
 */
async function inTab(tabId, injection) {
  try {
    return await withinLimit(chrome.scripting.executeScript(injection));
  } catch (error) {
    const failure = asHostFailure(error);
    if (failure.name !== "TabNavigated" && failure.name !== "TabGone") throw failure;
    const there = await chrome.tabs.get(tabId).catch(() => null);
    throw new HostFailure(there ? "TabNavigated" : "TabGone", failure.message);
  }
}

/**
 * Runs inside the page, so it may use nothing of this module. What our scripts defined is let go.
 * @param {string} entry
 * @param {any[]} args
 */
function callEntry(entry, args) {
  const scope = /** @type {any} */ (globalThis);
  const run = scope[entry];
  return Promise.resolve(run(...args)).finally(() => {
    for (const name of Object.keys(scope)) if (name.startsWith("tabwise")) scope[name] = undefined;
  });
}

/**
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
function withinLimit(work) {
  const { promise, reject } = Promise.withResolvers();
  const timer = setTimeout(() => reject(new HostFailure("TabTimeout", "no answer from the tab")), SCRIPT_TIMEOUT_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
