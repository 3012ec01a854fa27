// @ts-check
import { pdfShow } from "./pdf_show.js";
import { callInPage, withoutFragment } from "./tabs.js";

const LOAD_TIMEOUT_MS = 20_000;
const MAX_EXACT_CHARS = 200;
const EDGE_WORDS = 6;

/**
 * Focus the tab that shows a passage, opening one when there is none, and light the passage up. A PDF is shown in our
 * own viewer: the browser's cannot be marked, and the reader's tab stays as it is.
 * @param {import("../protocol").HostCalls["passage_show"]["args"]} args
 */
export async function passageShow({ moment_url, ...asked }) {
  const { url, passages } = asked;
  const [{ quote, page_number }] = passages;
  if (page_number !== null) return { found: true, tab_id: await pdfShow(asked) };
  const open = await openTab(url);
  const marked = moment_url ?? withTextFragment(url, quote);
  const tab = open ?? (await chrome.tabs.create({ url: marked }));
  const tabId = /** @type {number} */ (tab.id);
  await chrome.tabs.update(tabId, { active: true });
  await chrome.windows.update(tab.windowId, { focused: true });
  if (moment_url !== null) {
    if (open) await chrome.tabs.update(tabId, { url: moment_url });
    return { found: true, tab_id: tabId };
  }
  await loaded(tabId);
  try {
    const found = await callInPage(tabId, ["js/highlight.js"], "tabwiseHighlight", [passages, labels()]);
    return { found, tab_id: tabId };
  } catch (error) {
    // A tab opened here has the browser's own text fragment as its mark, whether we may enter it or not.
    if (open) throw error;
    return { found: false, tab_id: tabId };
  }
}

/** What the buttons say that step through several passages. */
function labels() {
  const { getMessage } = chrome.i18n;
  return {
    passages: getMessage("passages"),
    previous: getMessage("passage_previous"),
    next: getMessage("passage_next"),
    close: getMessage("close"),
  };
}

/**
 * The tab that shows `url`, fragment aside: the active one, else the one used last.
 * @param {string} url
 */
async function openTab(url) {
  const wanted = withoutFragment(url);
  const tabs = (await chrome.tabs.query({})).filter((tab) => !tab.incognito && withoutFragment(tab.url) === wanted);
  tabs.sort((a, b) => Number(b.active) - Number(a.active) || (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0));
  return tabs[0];
}

/**
 * The address with a text fragment that points at `quote`; a long quote, or one of several blocks, by its first and
 * last words, since exact words are looked for within a block alone; of a table row its longest cell. The browser's
 * PDF viewer takes the fragment, too, and the page number where it does not find the words.
 * @param {string} url
 * @param {string} quote
 * @param {number | null} pageNumber
 */
export function withTextFragment(url, quote, pageNumber = null) {
  const lines = quote.trim().split(/\s*\n\s*/).map(longestCell);
  const [first, last] = [wordsOf(lines[0]), wordsOf(lines[lines.length - 1])];
  const exact = lines.length === 1 && (quote.length <= MAX_EXACT_CHARS || first.length <= 2 * EDGE_WORDS);
  const parts = exact ? [first] : [first.slice(0, EDGE_WORDS), last.slice(-EDGE_WORDS)];
  const text = parts.map((part) => encodeFragment(part.join(" "))).join(",");
  const page = pageNumber === null ? "" : `page=${pageNumber}&`;
  return `${withoutFragment(url)}#${page}:~:text=${text}`;
}

/** @param {string} line */
function wordsOf(line) {
  return line.split(/\s+/);
}

/** @param {string} line whose cells, if it has any, are parted by bars */
function longestCell(line) {
  return line.split(" | ").reduce((longest, cell) => (cell.length > longest.length ? cell : longest));
}

/**
 * Percent-encode one part of a text directive; "-" "," "&" have a meaning in it.
 * @param {string} text
 */
function encodeFragment(text) {
  return encodeURIComponent(text.toWellFormed()).replaceAll("-", "%2D");
}

/**
 * Wait until the tab has loaded; gives up waiting, without an error, after a while.
 * @param {number} tabId
 */
export async function loaded(tabId) {
  const { promise, resolve } = Promise.withResolvers();
  /** @type {Parameters<typeof chrome.tabs.onUpdated.addListener>[0]} */
  const onUpdated = (id, change) => {
    if (id === tabId && change.status === "complete") resolve(undefined);
  };
  chrome.tabs.onUpdated.addListener(onUpdated);
  const timer = setTimeout(resolve, LOAD_TIMEOUT_MS);
  if ((await chrome.tabs.get(tabId)).status !== "complete") await promise;
  clearTimeout(timer);
  chrome.tabs.onUpdated.removeListener(onUpdated);
}
