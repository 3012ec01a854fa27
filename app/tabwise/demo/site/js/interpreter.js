// @ts-check
// Pyodide as PyScript asks for it, with the memory of one that has started and imported most of the engine.
import { loadPyodide as load } from "../vendor/pyodide/pyodide.mjs";

const FOLDER = new URL("../vendor/pyodide/", import.meta.url);

async function snapshot() {
  const packed = await fetch(new URL("snapshot.packed", FOLDER));
  if (!packed.ok || !packed.body) throw new Error(`snapshot.packed: ${packed.status}`);
  return new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** @param {object} options */
export const loadPyodide = (options) => load({ ...options, indexURL: FOLDER.href, _loadSnapshot: snapshot() });
