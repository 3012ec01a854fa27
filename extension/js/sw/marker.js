// @ts-check
// Keeps the note of what should be in the library, and forgets everything on request. What the note means is
// decided in tabwise/engine/backup.py.

const KEY = "marker";

/** @returns {Promise<unknown>} as it was stored, null before the first time */
export async function markerGet() {
  const stored = /** @type {any} */ (await chrome.storage.local.get(KEY));
  return stored[KEY] ?? null;
}

/** @param {import("../protocol").HostCalls["marker_set"]["args"]} args */
export async function markerSet({ marker }) {
  await chrome.storage.local.set({ [KEY]: marker });
  return {};
}

/** @returns {Promise<{ left: string[] }>} what is still there afterwards */
export async function storageClear() {
  const areas = [chrome.storage.local, chrome.storage.session];
  await Promise.all(areas.map((area) => area.clear()));
  const required = chrome.runtime.getManifest().host_permissions ?? [];
  const granted = (await chrome.permissions.getAll()).origins ?? [];
  const origins = granted.filter((origin) => !required.includes(origin));
  if (origins.length) await chrome.permissions.remove({ origins });
  const keys = await Promise.all(areas.map((area) => area.getKeys()));
  return { left: keys.flat() };
}
