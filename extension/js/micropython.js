// @ts-check
// Starts MicroPython with the memory of one that has imported our modules, which the build made (ui_memory.py).

/** @param {string} path of a file of the extension */
const at = (path) => chrome.runtime.getURL(path);

/** @returns {Promise<any>} the interpreter; our modules are there, and none of their files */
export async function startMicroPython() {
  const [{ loadMicroPython }, image] = await Promise.all([
    import(at("vendor/micropython/micropython.mjs")),
    fetch(at("python/ui.bin")).then((reply) => reply.arrayBuffer()),
  ]);
  const { python, memory } = await loaded(loadMicroPython);
  new Uint8Array(memory.buffer).set(new Uint8Array(image));
  return python;
}

/**
 * MicroPython keeps its memory to itself, so it is taken as it is made.
 * @param {(options: {url: string}) => Promise<any>} loadMicroPython
 */
async function loaded(loadMicroPython) {
  const { instantiateStreaming } = WebAssembly;
  /** @type {any} */
  let exported;
  WebAssembly.instantiateStreaming = async (...module) => {
    const made = await instantiateStreaming(...module);
    exported = made.instance.exports;
    return made;
  };
  try {
    const python = await loadMicroPython({ url: at("vendor/micropython/micropython.wasm") });
    return { python, memory: exported.memory };
  } finally {
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}
