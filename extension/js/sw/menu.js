// @ts-check
// The context menu and what was pressed where. What comes of it is decided by the panel (tabwise/ui/events/menu.py).

/** @type {chrome.contextMenus.CreateProperties[]} */
const ITEMS = [
  { id: "add_page", contexts: ["page"], title: chrome.i18n.getMessage("menu_add_page") },
  { id: "add_selection", contexts: ["selection"], title: chrome.i18n.getMessage("menu_add_selection") },
  { id: "ask_selection", contexts: ["selection"], title: chrome.i18n.getMessage("menu_ask_selection") },
];

/** Menus outlive the service worker: made once, when the extension is installed or updated. */
export async function createMenu() {
  await chrome.contextMenus.removeAll();
  for (const item of ITEMS) {
    chrome.contextMenus.create({ ...item, documentUrlPatterns: ["http://*/*", "https://*/*", "file:///*"] });
  }
}

/**
 * Leave word for the panel of this window, which may have to start first.
 * @param {string} item
 * @param {chrome.tabs.Tab} tab
 * @param {string} text
 */
export async function leaveWord(item, tab, text = "") {
  const menu = { item, tab_id: tab.id, window_id: tab.windowId, text: text.toWellFormed() };
  await notePressed(tab);
  await chrome.storage.session.set({ menu });
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
