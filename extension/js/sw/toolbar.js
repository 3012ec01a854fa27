// @ts-check
// What the toolbar button opens, and the popup by its shortcut.

const POPUP = "popup.html";

/** Have the button open what the reader chose; the browser forgets it when it is closed. */
export async function followToolbar() {
  const stored = /** @type {any} */ (await chrome.storage.local.get("settings"));
  const opensPopup = stored.settings?.preferences?.toolbar === "popup";
  await chrome.action.setPopup({ popup: opensPopup ? POPUP : "" });
}

/** Open the popup whatever the button opens. */
export async function openPopup() {
  await chrome.action.setPopup({ popup: POPUP });
  await chrome.action.openPopup().catch(console.warn);
  await followToolbar();
}
