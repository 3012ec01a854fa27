
// Added to the extension's `js/decoder.js` for the time of a benchmark: tells when the model worker computed, now
// and then, for to tell takes time. What was computed last is not told where the worker ends.
const AT_ONCE = 16;
const timed = new BroadcastChannel("bench-computed");
/** @type {{ nTokens: number, began: number, ended: number }[]} */
let untold = [];
function computed(/** @type {number} */ nTokens, /** @type {number} */ began) {
  untold.push({ nTokens, began, ended: performance.now() });
  if (untold.length < AT_ONCE) return;
  timed.postMessage(untold);
  untold = [];
}
const { run, goOn } = Decoder.prototype;
Decoder.prototype.run = async function (request) {
  const began = performance.now();
  const reply = await run.call(this, request);
  computed(request.tokens.length, began);
  return reply;
};
Decoder.prototype.goOn = function () {
  const began = performance.now();
  const wentOn = goOn.call(this);
  computed(0, began);
  return wentOn;
};
