// @ts-check

/** What the reader granted, and whether the browser may clear what is stored. */
export async function facts() {
  const granted = await chrome.permissions.getAll();
  const origins = granted.origins ?? [];
  return {
    reads_local_files: await chrome.extension.isAllowedFileSchemeAccess(),
    reads_all_sites: origins.includes("<all_urls>"),
    n_sites: origins.length,
    storage_is_kept: (granted.permissions ?? []).includes("unlimitedStorage"),
  };
}
