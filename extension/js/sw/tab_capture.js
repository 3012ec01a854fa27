// @ts-check
import { HostFailure } from "./failure.js";
import { callInPage, contentType, readableTab, withoutFragment } from "./tabs.js";

/**
 * Read what a person can see of a tab, or has selected there, once. A PDF is only named: whoever wants its text fetches it.
 * @param {import("../protocol").HostCalls["tab_capture"]["args"]} args
 */
export async function tabCapture({ tab_id, max_chars, selection }) {
  const { url } = await readableTab(tab_id);
  if ((await contentType(tab_id)) === "application/pdf") return { pdf: withoutFragment(url) };
  const files = ["js/visibility.js", "js/capture.js"];
  const capture = JSON.parse(await callInPage(tab_id, files, "tabwiseCapture", [max_chars, selection]));
  // A page that changes its address without a new document (a single-page app) was read half here, half there.
  const tab = await readableTab(tab_id);
  if (new Set([url, capture.url, tab.url].map(withoutFragment)).size > 1) {
    throw new HostFailure("TabNavigated", "the address changed while reading");
  }
  return capture;
}
