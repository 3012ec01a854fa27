// @ts-check
// What lies between two steps of the bundled model when the engine measures it: Python, and the way to it and back.

/** @type {{ nTokens: number, began: number, ended: number }[]} */
const runs = [];
new BroadcastChannel("bench-runs").onmessage = ({ data }) => runs.push(data);

/** @returns {Promise<[number, number][]>} of each step behind another: the milliseconds before it and its own */
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
  runs.length = 0;
  channel.postMessage(JSON.stringify({ v: 1, id, type: "model_measure", engine: "bundled" }));
  await done;
  const last = runs.findLastIndex(({ nTokens }) => nTokens > 1); // the end of the prompt
  return runs.slice(last + 2).map(({ began, ended }, i) => [began - runs[last + 1 + i].ended, ended - began]);
};
