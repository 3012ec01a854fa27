// @ts-check
// The files of language models: packaged with the extension, or stored in OPFS below `models/<place>/`.
// A place is "packaged:<folder>" or "stored:<folder>".

const ROOT = new URL("../", import.meta.url);
const FOLDER = "models";

/**
 * @param {string} place
 * @param {string} name
 * @returns {Promise<Uint8Array>} rejects with ModelMissing
 */
export async function readModelFile(place, name) {
  const [kind, folder] = place.split(":");
  if (kind === "packaged") return packaged(folder, name);
  try {
    const handle = await (await storedFolder(folder, false)).getFileHandle(name);
    return new Uint8Array(await (await handle.getFile()).arrayBuffer());
  } catch (error) {
    throw error instanceof DOMException && error.name === "NotFoundError" ? missing(place, name) : error;
  }
}

/**
 * @param {string} folder
 * @param {string} name
 */
async function packaged(folder, name) {
  const response = await fetch(new URL(`${FOLDER}/${folder}/${name}`, ROOT)).catch(() => undefined);
  if (!response?.ok) throw missing(folder, name);
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * @param {string} place
 * @param {string} name
 */
function missing(place, name) {
  const error = new Error(`${place} has no ${name}`);
  error.name = "ModelMissing";
  return error;
}

/**
 * @param {string} folder
 * @param {boolean} create
 */
async function storedFolder(folder, create) {
  const root = await navigator.storage.getDirectory();
  const models = await root.getDirectoryHandle(FOLDER, { create });
  return models.getDirectoryHandle(folder, { create });
}

/** @returns {Promise<string>} JSON: sizes in bytes by file name, by folder; how many bytes there is room for */
export async function listStored() {
  const root = await navigator.storage.getDirectory();
  const models = await root.getDirectoryHandle(FOLDER, { create: true });
  /** @type {Record<string, Record<string, number>>} */
  const folders = {};
  for await (const folder of /** @type {any} */ (models).values()) {
    if (folder.kind !== "directory") continue;
    folders[folder.name] = {};
    for await (const file of folder.values()) folders[folder.name][file.name] = (await file.getFile()).size;
  }
  const { quota = 0, usage = 0 } = await navigator.storage.estimate();
  return JSON.stringify({ folders, free_bytes: quota - usage });
}

/**
 * Write at a place of a file, which is made if it is not there; what was behind is cut off.
 * @param {string} folder
 * @param {string} name
 * @param {number} at
 * @param {Uint8Array} data
 */
export async function writeStored(folder, name, at, data) {
  const file = await (await storedFolder(folder, true)).getFileHandle(name, { create: true });
  const handle = await /** @type {any} */ (file).createSyncAccessHandle();
  try {
    handle.truncate(at);
    if (handle.write(data, { at }) !== data.length) throw new DOMException("", "QuotaExceededError");
    handle.flush();
  } finally {
    handle.close();
  }
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {number} from
 * @param {number} to
 * @returns {Promise<Uint8Array>} bytes `from` to `to`, fewer at the end of the file
 */
export async function readStored(folder, name, from, to) {
  const file = await (await (await storedFolder(folder, true)).getFileHandle(name, { create: true })).getFile();
  return new Uint8Array(await file.slice(from, to).arrayBuffer());
}

/**
 * Store what is at a blob URL.
 * @param {string} folder
 * @param {string} name
 * @param {string} url
 */
export async function copyStored(folder, name, url) {
  const file = await (await storedFolder(folder, true)).getFileHandle(name, { create: true });
  const writable = await file.createWritable();
  const body = (await fetch(url)).body;
  await body?.pipeTo(writable);
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {string} newName
 */
export async function renameStored(folder, name, newName) {
  const file = await (await storedFolder(folder, false)).getFileHandle(name);
  await /** @type {any} */ (file).move(newName);
}

/** @param {string} folder */
export async function removeStored(folder) {
  const root = await navigator.storage.getDirectory();
  const models = await root.getDirectoryHandle(FOLDER, { create: true });
  try {
    await models.removeEntry(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "NotFoundError")) throw error;
  }
}
