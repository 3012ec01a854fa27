
// Added to the extension's `js/decoder.js` for the time of a benchmark: tells when the model worker computed.
const timed = new BroadcastChannel("bench-computed");
const { run, goOn } = Decoder.prototype;
Decoder.prototype.run = async function (request) {
  const began = performance.now();
  const reply = await run.call(this, request);
  timed.postMessage({ nTokens: request.tokens.length, began, ended: performance.now() });
  return reply;
};
Decoder.prototype.goOn = function () {
  const began = performance.now();
  goOn.call(this);
  timed.postMessage({ nTokens: 0, began, ended: performance.now() });
};
