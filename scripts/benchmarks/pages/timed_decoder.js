
// Added to the extension's `js/decoder.js` for the time of a benchmark: tells when each run began and ended.
const timed = new BroadcastChannel("bench-runs");
const { run } = Decoder.prototype;
Decoder.prototype.run = async function (request) {
  const began = performance.now();
  const reply = await run.call(this, request);
  timed.postMessage({ nTokens: request.tokens.length, began, ended: performance.now() });
  return reply;
};
