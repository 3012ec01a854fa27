// @ts-check
// How long the model worker computes and waits while the engine measures the bundled model: it waits for Python,
// and for the way to it and back.

/** @type {{ nTokens: number, began: number, ended: number }[]} what was computed; 0 tokens: before it was asked for */
const computed = [];
new BroadcastChannel("bench-computed").onmessage = ({ data }) => computed.push(...data);

/** @returns {Promise<[number, number][]>} milliseconds that each token behind the first computes, and waits */
globalThis.measured = async () => {
  await chrome.runtime.sendMessage({ to: "sw", verb: "ensure_engine", args: {} });
  const channel = new BroadcastChannel("tabwise");
  const id = crypto.randomUUID();
  const done = new Promise((resolve, reject) => {
    channel.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.re !== id) return;
      if (message.type === "done") resolve(null);
      else if (message.type === "error") reject(new Error(message.code));
    };
  });
  computed.length = 0;
  channel.postMessage(JSON.stringify({ v: 1, id, type: "model_measure", engine: "bundled" }));
  await done;
  const prompt = computed.findLastIndex(({ nTokens }) => nTokens > 1);
  const asked = computed.flatMap(({ nTokens }, i) => (nTokens === 1 && i > prompt ? [i] : []));
  return asked.slice(1).map((last, i) => {
    const steps = computed.slice(asked[i] + 1, last + 1);
    const busy = steps.reduce((sum, { began, ended }) => sum + ended - began, 0);
    return [busy, computed[last].ended - computed[asked[i]].ended - busy];
  });
};
