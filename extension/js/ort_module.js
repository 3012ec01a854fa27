// @ts-check
// The WebAssembly module of ONNX Runtime, kept for those who call its C interface. The runtime loads this file
// in place of the one it wraps: `env.wasm.wasmPaths.mjs`.
import create from "../vendor/ort/ort-wasm-simd-threaded.jspi.mjs";

/** @type {OrtModule | null} */
export let ortModule = null;

/**
 * @param {object} config
 * @returns {Promise<OrtModule>}
 */
export default async function (config) {
  ortModule = await create(config);
  return ortModule;
}
