// @ts-check
// The context menu and what was pressed where. What comes of it is decided by the panel (tabwise/ui/events/menu.py).
import { loaded } from "./passage_show.js";

/** @type {chrome.contextMenus.CreateProperties[]} */
const ITEMS = [
  { id: "add_page", contexts: ["page"], title: chrome.i18n.getMessage("menu_add_page") },
  { id: "add_selection", contexts: ["selection"], title: chrome.i18n.getMessage("menu_add_selection") },
  { id: "ask_selection", contexts: ["selection"], title: chrome.i18n.getMessage("menu_ask_selection") },
];
/** @type {chrome.contextMenus.CreateProperties} */
const LINK = { id: "add_link", contexts: ["link"], title: chrome.i18n.getMessage("menu_add_link") };
/** @type {chrome.contextMenus.CreateProperties} */
const TAB = { id: "open_tab", contexts: ["action"], title: chrome.i18n.getMessage("menu_open_tab") };

/** Menus outlive the service worker: made once, when the extension is installed or updated. */
export async function createMenu() {
  await chrome.contextMenus.removeAll();
  for (const item of ITEMS) {
    chrome.contextMenus.create({ ...item, documentUrlPatterns: ["http://*/*", "https://*/*", "file:///*"] });
  }
  chrome.contextMenus.create({ ...LINK, targetUrlPatterns: ["http://*/*", "https://*/*"] });
  chrome.contextMenus.create(TAB);
}

/**
 * @param {chrome.contextMenus.OnClickData} info
 * @param {chrome.tabs.Tab | undefined} tab
 */
export function menuPressed({ menuItemId, linkUrl, selectionText }, tab) {
  if (menuItemId === TAB.id) return void chrome.tabs.create({ url: "panel.html" });
  if (!tab || tab.incognito) return;
  // The panel opens first: after an await the press would no longer count as the user's.
  void chrome.sidePanel.open({ windowId: tab.windowId });
  if (menuItemId === LINK.id) void addLink(String(linkUrl), tab);
  else void leaveWord(String(menuItemId), tab, selectionText);
}

/**
 * Open a linked page behind the one in front, and leave word to add it. Nothing was pressed over it, so that the
 * panel asks for its site as for that of any other tab.
 * @param {string} url
 * @param {chrome.tabs.Tab} opener
 */
async function addLink(url, opener) {
  const { windowId, id: openerTabId, index } = opener;
  const tab = await chrome.tabs.create({ url, active: false, windowId, openerTabId, index: index + 1 });
  await loaded(Number(tab.id));
  await leave("add_page", await chrome.tabs.get(Number(tab.id)));
}

/**
 * Leave word for the panel of this window, which may have to start first.
 * @param {string} item
 * @param {chrome.tabs.Tab} tab
 * @param {string} text
 */
export async function leaveWord(item, tab, text = "") {
  await notePressed(tab);
  await leave(item, tab, text);
}

/**
 * @param {string} item
 * @param {chrome.tabs.Tab} tab
 * @param {string} text
 */
async function leave(item, tab, text = "") {
  const menu = { item, tab_id: tab.id, window_id: tab.windowId, text: text.toWellFormed() };
  await chrome.storage.session.set({ menu });
}

/** The popup opened: the press that opened it was over the active tab. */
export async function tabPressed() {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  if (tab) await notePressed(tab);
  return {};
}

/**
 * Remember that activeTab was granted here: until the tab goes to another site it may be read without asking.
 * @param {chrome.tabs.Tab} tab
 */
export async function notePressed(tab) {
  const pressed = await pressedTabs();
  const origin = new URL(tab.url ?? "about:blank").origin;
  await chrome.storage.session.set({ pressed: { ...pressed, [String(tab.id)]: origin } });
}

/** @param {number} tabId */
export async function forgetPressed(tabId) {
  const pressed = await pressedTabs();
  if (!(tabId in pressed)) return;
  delete pressed[tabId];
  await chrome.storage.session.set({ pressed });
}

/** @returns {Promise<Record<string, string>>} origin by tab id */
async function pressedTabs() {
  const { pressed } = await chrome.storage.session.get({ pressed: {} });
  return /** @type {Record<string, string>} */ (pressed);
}
