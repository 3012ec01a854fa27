// @ts-check
// Keeps the keys of services: until the browser is closed, or on this machine. Pages of the extension may set and
// forget one; only the offscreen document, for the engine, gets one back.
import { HostFailure } from "./failure.js";

const PREFIX = "key:";

/**
 * @param {import("../protocol").HostCalls["key_get"]["args"]} args
 * @param {chrome.runtime.MessageSender} sender
 */
export async function keyGet({ name }, sender) {
  if (sender.url !== chrome.runtime.getURL("offscreen.html")) throw new HostFailure("HostFailed", "not for this page");
  const item = PREFIX + name;
  const session = await chrome.storage.session.get(item);
  const kept = await chrome.storage.local.get(item);
  return { value: String(session[item] ?? kept[item] ?? "") };
}

/** @param {import("../protocol").HostCalls["key_set"]["args"]} args */
export async function keySet({ name, value, kept }) {
  await keyForget({ name });
  const place = kept ? chrome.storage.local : chrome.storage.session;
  await place.set({ [PREFIX + name]: value });
  return {};
}

/** @param {import("../protocol").HostCalls["key_forget"]["args"]} args */
export async function keyForget({ name }) {
  await Promise.all([chrome.storage.session.remove(PREFIX + name), chrome.storage.local.remove(PREFIX + name)]);
  return {};
}

export async function keyPlaces() {
  const [session, kept] = await Promise.all([namesIn(chrome.storage.session), namesIn(chrome.storage.local)]);
  return { session, kept };
}

/** @param {chrome.storage.StorageArea} place */
async function namesIn(place) {
  const items = await place.getKeys();
  return items.filter((item) => item.startsWith(PREFIX)).map((item) => item.slice(PREFIX.length));
}
