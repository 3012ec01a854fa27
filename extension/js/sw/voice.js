// @ts-check
// Switches the conversation by voice on or off in a tab, and carries its messages: a frame inside a web page has a
// channel of its own, apart from that of our other pages.
import { ensureEngine } from "./ensure_engine.js";
import { notePressed } from "./menu.js";
import { callInPage, readableTab } from "./tabs.js";

const PORT = "wire";
const CHANNEL = "tabwise";

/**
 * The shortcut was pressed over a tab. Without the reader's word in the settings nothing is switched on.
 * @param {chrome.tabs.Tab} tab
 */
export async function toggleVoice(tab) {
  const stored = /** @type {any} */ (await chrome.storage.local.get("settings"));
  if (!stored.settings?.preferences?.voice) return chrome.runtime.openOptionsPage();
  await notePressed(tab);
  await readableTab(Number(tab.id));
  const address = chrome.runtime.getURL("voice.html"); // another one in every session, so that no page knows it
  const args = [address, location.origin, await word()];
  await callInPage(Number(tab.id), ["js/speech.js", "js/voice.js"], "tabwiseVoice", args);
}

/** The word by which our frame knows our script: the page around it can send messages, too. */
async function word() {
  const { voice = crypto.randomUUID() } = await chrome.storage.session.get("voice");
  await chrome.storage.session.set({ voice });
  return voice;
}

/** Join the ports of our frames to the channel. */
export function carryWire() {
  chrome.runtime.onConnect.addListener((port) => {
    const isOurs = port.sender?.id === chrome.runtime.id && port.sender.url === `${location.origin}/voice.html`;
    if (port.name !== PORT || !isOurs) return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => port.postMessage(data);
    port.onMessage.addListener((text) => channel.postMessage(text));
    port.onDisconnect.addListener(() => channel.close());
    void ensureEngine();
  });
}
