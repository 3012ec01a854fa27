// @ts-check
// What the engine's Python needs from JavaScript on this page, as in the extension: the tokenizer, the models'
// worker, the SIMD kernel, the library's files, the reader of PDFs. PyScript imports it into the worker; Python
// knows it as `tabwise_host`.
import "../vendor/tokenizers/index.js";
import * as local from "./local_models.js";
import { ModelClient } from "./model_client.js";
import { openPool, opfsFileSystem } from "./opfs_fs.js";
import { PdfReader } from "./pdf_reader.js";
import { bytes, reseed, searchKernel, unpack } from "./python.js";

const ROOT = new URL("../", import.meta.url);
const LIBRARY_FILES = ["library.db", "library.db-journal", "library.damaged.db"];
// One library for each place the page is served from: sites share an origin on many hosts.
const LIBRARY = `tabwise-demo${ROOT.pathname.replaceAll("/", "-")}`;
const LOCK_WAIT_MS = 2_000;

const text = new TextDecoder();
const library = openLibrary().then(
  (handles) => ({ handles, fault: "" }),
  (error) => ({ handles: null, fault: String(error?.name ?? error) }),
);
export const [tokenizerJson, descriptor] = await Promise.all(
  ["models/minilm/tokenizer.json", "models/minilm/model.json"].map(async (path) => text.decode(await bytes(path))),
);
const { handles, fault } = await library;
/** The name of what keeps the library from being stored. PyScript hands Python a copy: it must be settled by now. */
export const libraryFault = fault;

const tokenizer = await globalThis.tokenizers.Tokenizer.fromJSON(new TextEncoder().encode(tokenizerJson).buffer);
const model = new ModelClient((message) => (message.type === "model_wanted" ? startModel() : stopModel()));
const file = new PdfReader();
/** @type {Worker | null} */
let modelWorker = null;
/** @type {any} */
let python = null;
/** @type {any} */
let kernel = null;
/** @type {Promise<void> | null} */
let content = null;
let flush = () => undefined;

/**
 * Lend Python its kernel, which works in Python's own memory, and its library.
 * @param {any} py
 */
export async function start(py) {
  python = py;
  reseed(py);
  kernel = await searchKernel(py);
  if (!handles) return;
  const mounted = opfsFileSystem(py.FS, handles);
  py.FS.mkdirTree("/library");
  py.FS.mount(mounted.type, {}, "/library");
  flush = /** @type {any} */ (mounted.flush);
}

/** @param {string} words */
export const encode = (words) => tokenizer.encode(words);

/**
 * @param {Int32Array} flat
 * @param {Int32Array} lengths
 * @param {string} place
 */
export const embed = (flat, lengths, place) => model.embed(flat, lengths, place);

/** @param {number[]} numbers addresses and sizes, as kernel/search.wat takes them */
export const scaledProducts = (...numbers) => kernel.scaledProducts(...numbers);

/** @param {number[]} numbers addresses and sizes, as kernel/search.wat takes them */
export const addPostings = (...numbers) => kernel.addPostings(...numbers);

/** @param {number[]} numbers addresses and sizes, as kernel/search.wat takes them */
export const countAbove = (...numbers) => kernel.countAbove(...numbers);

export const flushLibrary = () => flush();

/**
 * @param {string} url
 * @param {number} maxBytes
 */
export const openFile = (url, maxBytes) => file.open(url, maxBytes);
/**
 * @param {number} first
 * @param {number} last
 */
export const pdfPages = (first, last) => file.pages(first, last);
export const fileBytes = () => file.bytes();
export const closeFile = () => file.close();

export function loadContentPackages() {
  content ??= bytes("python/content.zip").then(
    (archive) => unpack(python, archive),
    (error) => {
      content = null;
      throw error;
    },
  );
  return content;
}

export const modelText = local.textFile;
export const modelTokenizer = local.openTokenizer;
export const modelEncode = local.encode;
export const modelDecode = local.decode;
/**
 * @param {any} kind
 * @param {string} fields
 */
export const modelAsk = (kind, fields) => model.ask(kind, JSON.parse(fields));
/**
 * @param {string} fields
 * @param {Int32Array} tokens
 * @param {Int32Array | undefined} allow
 */
export const modelRun = (fields, tokens, allow) =>
  model.ask("run", { ...JSON.parse(fields), tokens, allow: allow ?? null });
export const modelRestart = () => model.restart();

/**
 * Put a file under an address from which the page can save it.
 * @param {any} data bytes of Python
 */
export function offer(data) {
  const view = data.getBuffer("u8");
  const copy = new Blob([view.data], { type: "application/vnd.sqlite3" });
  view.release();
  return URL.createObjectURL(copy);
}

/**
 * Own the library's files for this worker's life; another tab that has them is waited for, for a moment.
 * @returns {Promise<Map<string, FileSystemSyncAccessHandle>>}
 */
async function openLibrary() {
  await new Promise((owned, refused) => {
    const signal = AbortSignal.timeout(LOCK_WAIT_MS);
    const holdForLife = () => new Promise(() => owned(undefined));
    navigator.locks.request(LIBRARY, { signal }, holdForLife).catch(refused);
  });
  return openPool(LIBRARY, LIBRARY_FILES);
}

function startModel() {
  modelWorker ??= new Worker(new URL("model_worker.js", import.meta.url), { type: "module", name: "model" });
  modelWorker.onerror = (event) => {
    event.preventDefault();
    stopModel();
    model.lost();
  };
  const { port1, port2 } = new MessageChannel();
  modelWorker.postMessage({ type: "connect", port: port1 }, [port1]);
  model.connect(port2);
}

function stopModel() {
  modelWorker?.terminate();
  modelWorker = null;
}
