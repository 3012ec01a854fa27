// node llama_steps.mjs <extension folder> <llama.wasm> <model.onnx> <job.json> <result>
// Feeds texts token by token to `js/llama_step.js` over a memory of its own; writes the logits behind each token
// from number `first` on, float32.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [extension, kernel, model, job, result] = process.argv.slice(2);
const script = (name) => import(pathToFileURL(`${extension}/js/${name}`).href);
await script("wasm_heap.js");
const { LlamaStep } = await script("llama_step.js");

const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
let end = 64;
const heap = {
  buffer: () => memory.buffer,
  bytes: (at, size) => new Uint8Array(memory.buffer, at, size),
  allocate: (size) => {
    const at = end;
    end += Math.ceil(size / 64) * 64;
    if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / 65536));
    return at;
  },
  free: () => undefined,
};
globalThis.fetch = async () => new Response(fs.readFileSync(kernel));

const { n_layers: nLayers, n_kv_heads: heads, head_width: width, capacity, texts } = JSON.parse(fs.readFileSync(job, "utf8"));
const caches = Array.from({ length: 2 * nLayers }, () => ({
  at: heap.allocate(heads * capacity * width * 4),
  heads,
  width,
}));
const step = await LlamaStep.open(heap, fs.readFileSync(model), caches);
const file = fs.openSync(result, "w");
for (const { tokens, first } of texts) {
  tokens.forEach((token, past) => {
    const logits = step.compute(token, past, capacity);
    if (past >= first) fs.writeSync(file, new Uint8Array(logits.slice().buffer));
  });
}
