// @ts-check
// Keeps the account of what left this machine. What it means is decided in tabwise/core/egress.py.

const KEY = "egress";

/** @returns {Promise<unknown>} as it was stored, null before the first time */
export async function ledgerGet() {
  const stored = /** @type {any} */ (await chrome.storage.local.get(KEY));
  return stored[KEY] ?? null;
}

/** @param {import("../protocol").HostCalls["ledger_set"]["args"]} args */
export async function ledgerSet({ account }) {
  await chrome.storage.local.set({ [KEY]: account });
  return {};
}
