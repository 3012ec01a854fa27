// @ts-check
// HTTP for Python: requests in hand by number, their bodies read piece by piece, each closed down to the socket.
// What may be sent, how long to wait and what a failure means is decided in Python.

/** @typedef {{ stop: AbortController, body: ReadableStreamDefaultReader<Uint8Array> | null }} Exchange */

/** @type {Map<number, Exchange>} */
const open = new Map();

/**
 * Send a request. Without `follow`, a redirect is answered with the status 302 and nothing else.
 * @param {number} id chosen by the caller
 * @param {string} head JSON: method, url, headers as pairs, follow
 * @param {Uint8Array} body empty for none
 * @returns {Promise<string>} JSON: status, headers as pairs
 */
export async function send(id, head, body) {
  const { method, url, headers, follow } = JSON.parse(head);
  const stop = new AbortController();
  open.set(id, { stop, body: null });
  const response = await fetch(url, {
    method,
    headers,
    body: body.length > 0 ? /** @type {any} */ (body) : undefined,
    signal: stop.signal,
    redirect: follow ? "follow" : "manual",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
  });
  open.set(id, { stop, body: response.body?.getReader() ?? null });
  const status = response.type === "opaqueredirect" ? 302 : response.status;
  return JSON.stringify({ status, headers: [...response.headers] });
}

/**
 * @param {number} id
 * @returns {Promise<Uint8Array | undefined>} the next piece of the body, undefined at its end
 */
export async function read(id) {
  const result = await open.get(id)?.body?.read();
  return result?.value;
}

/** @param {number} id */
export function close(id) {
  open.get(id)?.stop.abort();
  open.delete(id);
}
