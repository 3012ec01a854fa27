// @ts-check
// The keyword in the address bar: pages that are found while it is typed; what is no page is asked in the panel.
import { ensureEngine } from "./ensure_engine.js";
import { leaveWord } from "./menu.js";

const CHANNEL = "tabwise";
const N_FOUND = 6;
const GIVE_UP_MS = 5_000;
const ADDRESS = /^(?:https?|file):\/\//;

/** @type {BroadcastChannel | null} open while a text is being looked for */
let channel = null;

export function watchOmnibox() {
  const description = escaped(chrome.i18n.getMessage("omnibox_hint"));
  chrome.omnibox.setDefaultSuggestion({ description });
  chrome.omnibox.onInputChanged.addListener((text, suggest) => void find(text, suggest));
  chrome.omnibox.onInputCancelled.addListener(stop);
  chrome.omnibox.onInputEntered.addListener((text, disposition) => void enter(text, disposition));
}

/**
 * @param {string} text
 * @param {(found: chrome.omnibox.SuggestResult[]) => void} suggest may be called again as more is found
 */
async function find(text, suggest) {
  stop();
  if (!text.trim()) return;
  const line = new BroadcastChannel(CHANNEL);
  channel = line;
  const id = crypto.randomUUID();
  line.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    if (event.re !== id) return;
    if (event.type === "found") suggest(suggestions(event.pages));
    if (event.type === "done") suggest(suggestions(event.result));
    if (["done", "error", "cancelled"].includes(event.type)) line.close();
  };
  setTimeout(() => line.close(), GIVE_UP_MS);
  await ensureEngine();
  if (channel === line) line.postMessage(JSON.stringify({ v: 1, id, type: "find", text, k: N_FOUND }));
}

function stop() {
  channel?.close();
  channel = null;
}

/** @param {{ url: string, title: string, excerpt: string }[]} pages */
function suggestions(pages) {
  return pages
    .filter(({ url }) => ADDRESS.test(url))
    .map(({ url, title, excerpt }) => ({
      content: url,
      description: `${escaped(title || url)} <url>${escaped(url)}</url> <dim>${escaped(excerpt)}</dim>`,
    }));
}

/** @param {string} text */
function escaped(text) {
  return text.toWellFormed().replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * @param {string} text an address that was suggested, or a question
 * @param {`${chrome.omnibox.OnInputEnteredDisposition}`} disposition
 */
async function enter(text, disposition) {
  stop();
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  if (ADDRESS.test(text)) {
    if (disposition === "currentTab") await chrome.tabs.update({ url: text });
    else await chrome.tabs.create({ url: text, active: disposition === "newForegroundTab" });
    return;
  }
  if (!tab) return;
  await leaveWord("ask_text", tab, text);
  // a side panel opens only where the browser counts this as a press of the reader
  await chrome.sidePanel.open({ windowId: tab.windowId }).catch(() => chrome.tabs.create({ url: "panel.html" }));
}
