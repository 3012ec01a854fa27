// @ts-check
import { HostFailure, asHostFailure } from "./failure.js";
import { callInPage, contentType, readableTab, withoutFragment } from "./tabs.js";

/**
 * Read what a person can see of a tab, or has selected there, once. A PDF is only named: whoever wants its text fetches it.
 * @param {import("../protocol").HostCalls["tab_capture"]["args"]} args
 */
export async function tabCapture({ tab_id, max_chars, selection }) {
  const { url } = await readableTab(tab_id);
  const outcome = await read(tab_id, url, [max_chars, selection]).catch(asHostFailure);
  const tab = await chrome.tabs.get(tab_id).catch(() => {
    throw new HostFailure("TabGone", "the tab was closed while reading");
  });
  // A page that changes its address without a new document (a single-page app) was read half here, half there; and
  // what went wrong in the next page says nothing of the one that was asked for.
  const addresses = [url, tab.url, "url" in outcome ? outcome.url : url];
  if (new Set(addresses.map(withoutFragment)).size > 1) {
    throw new HostFailure("TabNavigated", "the address changed while reading");
  }
  if (outcome instanceof HostFailure) throw outcome;
  return outcome;
}

/**
 * @param {number} tabId
 * @param {string | undefined} url
 * @param {unknown[]} args of the capture
 */
async function read(tabId, url, args) {
  if ((await contentType(tabId)) === "application/pdf") return { pdf: withoutFragment(url) };
  return JSON.parse(await callInPage(tabId, ["js/visibility.js", "js/capture.js"], "tabwiseCapture", args));
}
