// @ts-check
// Files beside the library in OPFS: a handle is open only while Python works on one, so that the panel can hand
// the file over. What they hold is decided in tabwise/engine.
import { openHandle } from "./opfs_fs.js";

const FOLDER = "library";

/** @param {string} name @param {boolean} create */
async function fileOf(name, create) {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(FOLDER, { create: true });
  return folder.getFileHandle(name, { create });
}

/** @param {string} name */
export async function openCopy(name) {
  return openHandle(await fileOf(name, true));
}

/** @returns {Promise<string>} JSON: size in bytes by name */
export async function copySizes() {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(FOLDER, { create: true });
  /** @type {Record<string, number>} */
  const sizes = {};
  for await (const file of /** @type {any} */ (folder).values()) {
    if (file.kind === "file") sizes[file.name] = (await file.getFile()).size;
  }
  return JSON.stringify(sizes);
}

/**
 * Store what is at a blob URL.
 * @param {string} name
 * @param {string} url
 */
export async function fetchCopy(name, url) {
  const file = await fileOf(name, true);
  const writable = await file.createWritable();
  await (await fetch(url)).body?.pipeTo(writable);
}

/** @param {string} name */
export async function removeCopy(name) {
  const root = await navigator.storage.getDirectory();
  await removeEntry(await root.getDirectoryHandle(FOLDER, { create: true }), name);
}

/**
 * Delete all that the engine stored: files, caches, databases.
 * @returns {Promise<string>} JSON: names of what is left
 */
export async function eraseStored() {
  const root = /** @type {any} */ (await navigator.storage.getDirectory());
  for await (const name of root.keys()) await removeEntry(root, name).catch(console.warn);
  for (const name of await caches.keys()) await caches.delete(name);
  for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
  const left = [...(await caches.keys()), ...(await indexedDB.databases()).map(({ name }) => name ?? "")];
  for await (const name of root.keys()) left.push(name);
  return JSON.stringify(left);
}

/** @param {any} folder @param {string} name */
async function removeEntry(folder, name) {
  try {
    await folder.removeEntry(name, { recursive: true });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "NotFoundError")) throw error;
  }
}
