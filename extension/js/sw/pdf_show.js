// @ts-check
import { withoutFragment } from "./tabs.js";

/**
 * Show a PDF in our own viewer: in its tab if there is one, else in a new one. What the reader opened stays as it is.
 * @param {Omit<import("../protocol").HostCalls["passage_show"]["args"], "moment_url">} asked
 * @returns {Promise<number>} the tab
 */
export async function pdfShow(asked) {
  const viewer = chrome.runtime.getURL("pdf.html");
  const url = `${viewer}#${encodeURIComponent(JSON.stringify(asked))}`;
  const open = (await chrome.tabs.query({})).find((tab) => withoutFragment(tab.url) === viewer);
  const tab = open ?? (await chrome.tabs.create({ url }));
  const tabId = /** @type {number} */ (tab.id);
  if (open) await chrome.tabs.update(tabId, { url, active: true });
  await chrome.windows.update(tab.windowId, { focused: true });
  return tabId;
}
