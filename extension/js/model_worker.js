// @ts-check
// Runs the models, each in a session made when first needed. Sessions are not re-entrant and share the
// cores, so one queue serves all.
import { heapBytes } from "./wasm_heap.js";
import * as ort from "../vendor/ort/ort.jspi.min.mjs";
import { Decoder } from "./decoder.js";
import { Mailbox } from "./mailbox.js";
import { readModelFile } from "./model_files.js";

const ROOT = new URL("../", import.meta.url);
const MAX_THREADS = 4;
const SMALL_BYTES = 4096;

ort.env.wasm.wasmPaths = {
  mjs: new URL("js/ort_module.js", ROOT).href,
  wasm: new URL("vendor/ort/ort-wasm-simd-threaded.jspi.wasm", ROOT).href,
};
ort.env.wasm.numThreads = threads(navigator.hardwareConcurrency);
ort.env.logLevel = "error";

/**
 * Half the cores, for two of them are often one that does two things at a time; of two both, for with the other
 * one idle a text comes 1.75 times as fast, and with another program on it 1.3 to 2 times as slow. A benchmark
 * asks for another number in the worker's address.
 * @param {number} cores
 */
function threads(cores) {
  const asked = Number(new URL(self.location.href).searchParams.get("threads"));
  if (!self.crossOriginIsolated) return 1;
  return asked || Math.min(MAX_THREADS, cores, Math.max(2, cores >> 1));
}

const PACKAGED_EMBEDDER = "packaged:minilm";

/** @type {Map<string, Promise<any>>} sessions of embedders by the place of their files */
const sessions = new Map();
/** @type {Map<number, Decoder>} open language models by number */
const decoders = new Map();
let lastDecoder = 0;
/** @type {Promise<unknown>} */
let queue = Promise.resolve();

self.addEventListener("message", ({ data }) => {
  if (data.type === "connect") serve(data.port);
});

/** @param {MessagePort} port */
function serve(port) {
  /** @type {Mailbox | null} */
  let mailbox = null;
  let nSettled = 0;
  port.onmessage = ({ data }) => {
    if (data.mailbox) {
      mailbox = new Mailbox(data.mailbox);
      return;
    }
    queue = queue.then(async () => {
      await settle(data, (reply) => port.postMessage({ call: data.call, ...reply }, largeBuffersOf(reply)));
      nSettled += 1;
      const decoder = decoders.get(data.decoder);
      if (mailbox && decoder) await goOn(decoder, mailbox);
      else decoder?.goOn();
    });
  };

  /**
   * Compute ahead, and be there to be asked for what is computed until it is not or a message has come.
   * @param {Decoder} decoder
   * @param {Mailbox} mailbox
   */
  async function goOn(decoder, mailbox) {
    mailbox.come();
    let isAhead = decoder.goOn();
    while (!mailbox.leave()) {
      if (!(await settle(mailbox.asked(), (reply) => mailbox.answer(reply)))) mailbox.come();
      isAhead = isAhead && mailbox.nSent === nSettled && decoder.goOn();
    }
  }

  /**
   * @param {any} request
   * @param {(reply: any) => void} tell
   * @returns {Promise<boolean>} whether it was answered: a failure is told in a message
   */
  async function settle(request, tell) {
    try {
      tell(await answer(request));
      return true;
    } catch (/** @type {any} */ error) {
      // Some failures of the runtime are thrown as numbers, addresses of what it could not say.
      const failure = { name: error?.name ?? typeof error, message: String(error?.message ?? error) };
      port.postMessage({ call: request.call, ...failure });
      return false;
    }
  }
}

/** @param {object} reply what is small is copied sooner than handed over */
function largeBuffersOf(reply) {
  const views = Object.values(reply).filter(ArrayBuffer.isView);
  return views.filter(({ byteLength }) => byteLength > SMALL_BYTES).map(({ buffer }) => buffer);
}

/** @param {any} request */
async function answer(request) {
  if (request.kind === "open") return openDecoder(request);
  if (request.kind === "run") return decoderOf(request.decoder).run(request);
  if (request.kind === "about") return { heap_bytes: heapBytes(), devices: await devices() };
  return { vectors: await embedded(request) };
}

/**
 * @param {{ place: string, flat: Int32Array, lengths: Int32Array, files?: string[], output?: string }} request
 */
async function embedded({ place, flat, lengths, files = ["model.onnx"], output = "" }) {
  const from = place || PACKAGED_EMBEDDER;
  if (!sessions.has(from)) {
    const session = createSession(from, files);
    sessions.set(from, session);
    session.catch(() => sessions.delete(from));
  }
  return embed(await sessions.get(from), flat, lengths, output);
}

/** @param {{ place: string, files: string[], device: string }} request */
async function openDecoder({ place, files, device }) {
  const number = (lastDecoder += 1);
  const decoder = await Decoder.open(place, files, device);
  decoders.set(number, decoder);
  return { decoder: number, keeps_its_cache: decoder.keepsItsCache, has_own_step: decoder.hasOwnStep };
}

/** @param {number} number */
function decoderOf(number) {
  const decoder = decoders.get(number);
  if (decoder) return decoder;
  const lost = new Error("this worker does not know the model");
  lost.name = "ModelLost";
  throw lost;
}

/** @returns {Promise<string[]>} where a model can run, the fastest first */
async function devices() {
  const adapter = await /** @type {any} */ (navigator).gpu?.requestAdapter().catch(() => null);
  return adapter ? ["webgpu", "wasm"] : ["wasm"];
}

/**
 * @param {string} place
 * @param {string[]} files the graph, then the files its weights are in
 */
async function createSession(place, files) {
  const [model, ...data] = await Promise.all(files.map((name) => readModelFile(place, name)));
  return ort.InferenceSession.create(model, {
    executionProviders: ["wasm"],
    graphOptimizationLevel: "all",
    externalData: data.map((bytes, i) => ({ path: files[i + 1], data: bytes })),
  });
}

/**
 * What the graph gives for rows of token ids, padded to the longest; graphs that want token types get zeros.
 * @param {any} session
 * @param {Int32Array} flat ids of all rows, end to end
 * @param {Int32Array} lengths ids of each row
 * @param {string} output its name, "" for the first
 * @returns {Promise<Float32Array>} for each row a vector, or a state for each token, end to end
 */
async function embed(session, flat, lengths, output) {
  const shape = [lengths.length, Math.max(...lengths)];
  const ids = new BigInt64Array(shape[0] * shape[1]);
  const mask = new BigInt64Array(ids.length);
  let from = 0;
  lengths.forEach((length, row) => {
    const at = row * shape[1];
    flat.subarray(from, from + length).forEach((id, column) => (ids[at + column] = BigInt(id)));
    mask.fill(1n, at, at + length);
    from += length;
  });
  const given = { input_ids: ids, attention_mask: mask };
  const feeds = session.inputNames.map((/** @type {"input_ids"} */ name) => [
    name,
    new ort.Tensor("int64", given[name] ?? new BigInt64Array(ids.length), shape),
  ]);
  const name = output || session.outputNames[0];
  const result = (await session.run(Object.fromEntries(feeds), [name]))[name];
  const numbers = result.data.slice();
  result.dispose();
  return numbers;
}
