// @ts-check
import { HostFailure } from "./failure.js";
import { callInPage, readableTab, withoutFragment } from "./tabs.js";

/**
 * Read what a person can see of a tab, once.
 * @param {import("../protocol").HostCalls["tab_capture"]["args"]} args
 */
export async function tabCapture({ tab_id, max_chars }) {
  await readableTab(tab_id);
  const files = ["js/visibility.js", "js/capture.js"];
  const capture = JSON.parse(await callInPage(tab_id, files, "tabwiseCapture", [max_chars]));
  // A page that changes its address without a new document (a single-page app) was read half here, half there.
  const tab = await readableTab(tab_id);
  if (withoutFragment(tab.url) !== withoutFragment(capture.url)) {
    throw new HostFailure("TabNavigated", "the address changed while reading");
  }
  return capture;
}
