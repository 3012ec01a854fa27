// @ts-check
// The offscreen document: connects pages, engine worker, model worker and service worker. It shares its
// thread with every page of the extension, so nothing is computed here.
import { promptCalls } from "./prompt_api.js";
import { Router } from "./router.js";
import { summarizerCalls } from "./summarizer.js";

const channel = new BroadcastChannel("tabwise");
/** @type {Worker | null} */
let engineWorker = null;
/** @type {Worker | null} */
let modelWorker = null;

const router = new Router({
  broadcast: (text) => channel.postMessage(text),
  startEngine,
});

channel.addEventListener("message", ({ data }) => {
  if (typeof data === "string") router.accept(data);
});

/** @returns {import("./router.js").Engine} */
function startEngine() {
  const worker = new Worker(new URL("engine_worker.js", import.meta.url), { type: "module", name: "engine" });
  engineWorker = worker;
  const engine = {
    post: (/** @type {any} */ message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
  };
  worker.addEventListener("message", ({ data }) => {
    if (data.type === "host_call") void hostCall(data).then((reply) => worker.postMessage(reply));
    else if (data.type === "model_wanted") connectModel(worker);
    else if (data.type === "model_lost") dropModel();
    router.engineSaid(engine, data);
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    router.engineDied(engine, event.message || "the engine worker failed");
  });
  return engine;
}

/**
 * Give the engine a line to the model worker, starting the worker if it is not there.
 * @param {Worker} engine
 */
function connectModel(engine) {
  modelWorker ??= startModel();
  const { port1, port2 } = new MessageChannel();
  modelWorker.postMessage({ type: "connect", port: port1 }, [port1]);
  engine.postMessage({ type: "model_port", port: port2 }, [port2]);
}

function startModel() {
  const worker = new Worker(new URL("model_worker.js", import.meta.url), { type: "module", name: "model" });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    dropModel();
    engineWorker?.postMessage({ type: "model_gone" });
  });
  return worker;
}

function dropModel() {
  modelWorker?.terminate();
  modelWorker = null;
}

/**
 * Do what only a document can, else ask the service worker. No reply at all means that it was stopped in
 * between; its verbs may be asked twice.
 * @param {{ call_id: number, verb: string, args: object }} call
 */
async function hostCall({ call_id, verb, args }) {
  const own = summarizerCalls[verb] ?? promptCalls[verb];
  if (own) return { type: "host_reply", call_id, reply: await own(args) };
  const message = { to: "sw", verb, args };
  const ask = () => chrome.runtime.sendMessage(message).catch(() => undefined);
  const reply = (await ask()) ?? (await ask());
  return {
    type: "host_reply",
    call_id,
    reply: reply ?? { ok: false, name: "HostFailed", message: "the service worker did not answer" },
  };
}
