// @ts-check
// The service worker: extension APIs on request, no state. It can be stopped between any two messages,
// so nothing lives in its globals but a promise in flight.
import { ensureEngine } from "./sw/ensure_engine.js";
import { facts } from "./sw/facts.js";
import { failureReply } from "./sw/failure.js";
import { httpAnswers } from "./sw/http_answers.js";
import { keyForget, keyGet, keyPlaces, keySet } from "./sw/keys.js";
import { ledgerGet, ledgerSet } from "./sw/ledger.js";
import { markerGet, markerSet, storageClear } from "./sw/marker.js";
import { createMenu, forgetPressed, leaveWord, menuPressed, notePressed, tabPressed } from "./sw/menu.js";
import { watchOmnibox } from "./sw/omnibox.js";
import { passageShow } from "./sw/passage_show.js";
import { settingsGet, settingsSet } from "./sw/settings.js";
import { tabCapture } from "./sw/tab_capture.js";
import { followToolbar, openPopup } from "./sw/toolbar.js";
import { carryWire, toggleVoice } from "./sw/voice.js";

/** @type {Record<string, (args: any, sender: chrome.runtime.MessageSender) => Promise<unknown>>} */
const VERBS = {
  ensure_engine: ensureEngine,
  tab_capture: tabCapture,
  tab_pressed: tabPressed,
  passage_show: passageShow,
  settings_get: settingsGet,
  settings_set: settingsSet,
  http_answers: httpAnswers,
  key_get: keyGet,
  key_set: keySet,
  key_forget: keyForget,
  key_places: keyPlaces,
  ledger_get: ledgerGet,
  ledger_set: ledgerSet,
  marker_get: markerGet,
  marker_set: markerSet,
  storage_clear: storageClear,
  host_facts: facts,
};

/**
 * Whether a message comes from a page of this extension. A content script carries our id too, but the
 * address of the page it runs in.
 * @param {chrome.runtime.MessageSender} sender
 */
function isOwnPage(sender) {
  return sender.id === chrome.runtime.id && !!sender.url?.startsWith(chrome.runtime.getURL(""));
}

chrome.runtime.onMessage.addListener((message, sender, sendResponse) => {
  if (message?.to !== "sw" || !isOwnPage(sender)) return false;
  if (!Object.hasOwn(VERBS, message.verb)) {
    sendResponse({ ok: false, name: "HostFailed", message: `unknown verb: ${message.verb}` });
    return false;
  }
  VERBS[message.verb](message.args ?? {}, sender).then(
    (value) => sendResponse({ ok: true, value }),
    (error) => sendResponse(failureReply(error)),
  );
  return true;
});

// Keys and settings are for our own pages, never for a script inside a web page.
void chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });
void chrome.storage.session.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });

// Not setPanelBehavior's openPanelOnActionClick: that opens the panel without granting activeTab, and the
// page the button was pressed over could not be read.
chrome.action.onClicked.addListener((tab) => {
  void chrome.sidePanel.open({ windowId: tab.windowId });
  void notePressed(tab);
});

chrome.runtime.onInstalled.addListener(() => void createMenu());

chrome.contextMenus.onClicked.addListener(menuPressed);

chrome.runtime.onStartup.addListener(() => void followToolbar());
chrome.storage.onChanged.addListener((changes, area) => {
  if (area === "local" && changes.settings) void followToolbar();
});
void followToolbar();

chrome.commands.onCommand.addListener((command, tab) => {
  if (command === "ask_page") void openPopup();
  if (command === "talk" && tab) toggleVoice(tab).catch(console.warn);
  if (command !== "search_pages" || !tab) return;
  void chrome.sidePanel.open({ windowId: tab.windowId });
  void leaveWord("find", tab);
});

watchOmnibox();
carryWire();

chrome.tabs.onRemoved.addListener((tabId) => void forgetPressed(tabId));
