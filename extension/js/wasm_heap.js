// @ts-check
// How much memory WebAssembly holds in this worker: imported before anything that makes some.

/** @type {WebAssembly.Memory[]} */
const memories = [];

const Memory = WebAssembly.Memory;
WebAssembly.Memory = class extends Memory {
  /** @param {WebAssembly.MemoryDescriptor} descriptor */
  constructor(descriptor) {
    super(descriptor);
    memories.push(this);
  }
};

/** @returns {number} bytes */
export function heapBytes() {
  return memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
}

/**
 * @param {ArrayBufferLike} buffer
 * @returns {WebAssembly.Memory | undefined} the memory whose bytes these are
 */
export function memoryOf(buffer) {
  return memories.find((memory) => memory.buffer === buffer);
}
