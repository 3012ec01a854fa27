// @ts-check

/**
 * Whether anybody answers at an address. The service worker may ask without reading the answer (no-cors); the engine
 * worker, isolated as it is, may not. That tells a silent machine from an answer the browser keeps from us.
 * @param {import("../protocol").HostCalls["http_answers"]["args"]} args
 */
export async function httpAnswers({ url, limit_ms }) {
  const signal = AbortSignal.timeout(limit_ms);
  const options = /** @type {const} */ ({ mode: "no-cors", credentials: "omit", cache: "no-store" });
  const answers = await fetch(url, { ...options, signal }).then(
    () => true,
    () => false,
  );
  return { answers };
}
