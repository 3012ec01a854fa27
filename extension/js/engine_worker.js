// @ts-check
// The engine worker: starts Python, lends it what only JavaScript has, and carries its messages.
import "../vendor/tokenizers/index.js";
import * as copies from "./copies.js";
import * as http from "./exchanges.js";
import * as local from "./local_models.js";
import { ModelClient } from "./model_client.js";
import * as files from "./model_files.js";
import { openPool, opfsFileSystem } from "./opfs_fs.js";
import { PdfReader } from "./pdf_reader.js";
import { bytes, searchKernel, startPython, unpack } from "./python.js";
import { surroundings } from "./surroundings.js";

const LIBRARY_FILES = ["library.db", "library.db-journal", "library.damaged.db"];
const LIBRARY_LOCK = "tabwise-library";
const LOCK_WAIT_MS = 5_000;

const model = new ModelClient((message) => postMessage(message));
const file = new PdfReader();
/** @type {Map<number, (reply: string) => void>} */
const hostCalls = new Map();
let lastHostCall = 0;
/** @type {(text: string) => unknown} */
let dispatch = () => undefined;

self.addEventListener("message", ({ data }) => {
  if (data.type === "request") dispatch(data.text);
  else if (data.type === "ping") postMessage({ type: "pong" });
  else if (data.type === "host_reply") settleHostCall(data);
  else if (data.type === "model_port") model.connect(data.port);
  else if (data.type === "model_gone") model.lost();
});

start().then(
  () => postMessage({ type: "ready" }),
  (error) => postMessage({ type: "fatal", message: String(error?.message ?? error) }),
);

async function start() {
  const library = openLibrary().then(
    (handles) => ({ handles, fault: "" }),
    (error) => ({ handles: null, fault: error.name }),
  );
  const modelFiles = Promise.all([
    bytes("models/minilm/tokenizer.json").then((json) => globalThis.tokenizers.Tokenizer.fromJSON(json)),
    bytes("models/minilm/model.json").then((json) => new TextDecoder().decode(json)),
  ]);
  const py = await startPython(["python/numpy.zip", "python/tabwise.zip"]);
  py._api.on_fatal = (/** @type {unknown} */ error) => postMessage({ type: "fatal", message: String(error) });
  const [tokenizer, descriptor] = await modelFiles;
  const { handles, fault } = await library;
  const mounted = mountLibrary(py.FS, handles ?? new Map());
  py.registerJsModule("tabwise_host", {
    descriptor,
    libraryFault: fault,
    call: callHost,
    post: (/** @type {string} */ text) => postMessage({ type: "event", text, heap_bytes: py._module.HEAPU8.length }),
    encode: (/** @type {string} */ text) => tokenizer.encode(text),
    embed: model.embed.bind(model),
    restart: () => postMessage({ type: "restart" }),
    ...(await searchKernel(py)),
    flushLibrary: mounted.flush,
    openCopy: async (/** @type {string} */ name) => mounted.attach(name, await copies.openCopy(name)),
    closeCopy: mounted.detach,
    copySizes: copies.copySizes,
    fetchCopy: copies.fetchCopy,
    removeCopy: copies.removeCopy,
    async eraseStored() {
      mounted.closeAll();
      return copies.eraseStored();
    },
    openFile: (/** @type {string} */ url, /** @type {number} */ maxBytes) => file.open(url, maxBytes),
    pdfPages: (/** @type {number} */ first, /** @type {number} */ last) => file.pages(first, last),
    fileBytes: () => file.bytes(),
    closeFile: () => file.close(),
    httpSend: http.send,
    httpRead: http.read,
    httpClose: http.close,
    isOnline: () => navigator.onLine,
    origin: self.location.origin,
    surroundings,
    heapBytes: () => py._module.HEAPU8.length,
    modelText: local.textFile,
    modelTokenizer: local.openTokenizer,
    modelEncode: local.encode,
    modelDecode: local.decode,
    modelAsk: (/** @type {any} */ kind, /** @type {string} */ fields) => model.ask(kind, JSON.parse(fields)),
    modelRun: (
      /** @type {string} */ fields,
      /** @type {Int32Array} */ tokens,
      /** @type {Int32Array | undefined} */ allow,
    ) => model.ask("run", { ...JSON.parse(fields), tokens, allow: allow ?? null }),
    modelRestart: () => model.restart(),
    storedModels: files.listStored,
    storedWrite: files.writeStored,
    storedRead: files.readStored,
    storedCopy: files.copyStored,
    storedRename: files.renameStored,
    storedRemove: files.removeStored,
    loadContentPackages: once(async () => unpack(py, await bytes("python/content.zip"))),
    loadTemplatePackages: once(async () => unpack(py, await bytes("python/templates.zip"))),
  });
  const entry = py.pyimport("tabwise.entry_browser");
  await entry.start();
  dispatch = entry.dispatch;
}

/**
 * Own the library file for this worker's life, and open it.
 * @returns {Promise<Map<string, FileSystemSyncAccessHandle>>}
 */
async function openLibrary() {
  await new Promise((owned, refused) => {
    const signal = AbortSignal.timeout(LOCK_WAIT_MS);
    const holdForLife = () => new Promise(() => owned(undefined));
    navigator.locks.request(LIBRARY_LOCK, { signal }, holdForLife).catch(refused);
  });
  return openPool("library", LIBRARY_FILES);
}

/**
 * @param {any} FS
 * @param {Map<string, FileSystemSyncAccessHandle>} handles
 */
function mountLibrary(FS, handles) {
  const system = opfsFileSystem(FS, handles);
  FS.mkdirTree("/library");
  FS.mount(system.type, {}, "/library");
  return system;
}

/**
 * Ask the service worker, through the router; both sides are JSON text.
 * @param {string} verb
 * @param {string} args
 * @returns {Promise<string>}
 */
function callHost(verb, args) {
  const { promise, resolve } = Promise.withResolvers();
  const call_id = (lastHostCall += 1);
  hostCalls.set(call_id, resolve);
  postMessage({ type: "host_call", call_id, verb, args: JSON.parse(args) });
  return promise;
}

/** @param {{ call_id: number, reply: object }} message */
function settleHostCall({ call_id, reply }) {
  hostCalls.get(call_id)?.(JSON.stringify(reply));
  hostCalls.delete(call_id);
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {() => Promise<T>} runs `work` once, and again only after it failed
 */
function once(work) {
  /** @type {Promise<T> | null} */
  let done = null;
  return () =>
    (done ??= work().catch((error) => {
      done = null;
      throw error;
    }));
}
