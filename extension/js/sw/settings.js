// @ts-check
// Keeps the settings. What they mean and whether they are sound is decided in tabwise/protocol/settings.py.

const KEY = "settings";

/** @returns {Promise<import("../protocol").Settings | null>} as they were stored, null before the first time */
export async function settingsGet() {
  const stored = /** @type {any} */ (await chrome.storage.local.get(KEY));
  return stored[KEY] ?? null;
}

/**
 * The browser tells every open page of the extension (`storage.onChanged`).
 * @param {import("../protocol").HostCalls["settings_set"]["args"]} args
 */
export async function settingsSet({ settings }) {
  await chrome.storage.local.set({ [KEY]: settings });
  return {};
}
