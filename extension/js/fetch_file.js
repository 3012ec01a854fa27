// @ts-check
// The bytes of an address that this extension may read: a site it was given access to, a local file, or a file
// that a page of the extension holds as a blob.

/**
 * @param {string} name
 * @param {string} message
 */
export function named(name, message) {
  const error = new Error(message);
  error.name = name;
  return error;
}

/**
 * Rejects with FileUnreachable, or FileTooLarge as soon as more than `maxBytes` are known to come.
 * @param {string} url
 * @param {number} maxBytes
 * @returns {Promise<Uint8Array>}
 */
export async function bytesOf(url, maxBytes) {
  const response = await fetch(url, { credentials: "include" }).catch((error) => {
    throw named("FileUnreachable", String(error?.message ?? error));
  });
  if (!response.ok || !response.body) throw named("FileUnreachable", `status ${response.status}`);
  if (Number(response.headers.get("content-length")) > maxBytes) {
    await response.body.cancel();
    throw named("FileTooLarge", `over ${maxBytes} bytes`);
  }
  return joined(await chunksOf(response.body, maxBytes));
}

/**
 * @param {ReadableStream<Uint8Array>} body
 * @param {number} maxBytes
 */
async function chunksOf(body, maxBytes) {
  const chunks = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw named("FileUnreachable", String(error?.message ?? error));
    });
    if (done) return chunks;
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw named("FileTooLarge", `over ${maxBytes} bytes`);
    }
    chunks.push(value);
  }
}

/** @param {Uint8Array[]} chunks */
function joined(chunks) {
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
