// @ts-check
// Times the start of the engine as a panel sees it, and of plain Pyodide with numpy.
const channel = new BroadcastChannel("tabwise");

async function engine() {
  await chrome.offscreen.closeDocument().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const ready = new Promise((resolve) => {
    channel.onmessage = ({ data }) => {
      const notice = JSON.parse(data);
      if (notice.type === "engine" && notice.state === "ready") resolve(undefined);
    };
  });
  const start = performance.now();
  await chrome.runtime.sendMessage({ to: "sw", verb: "ensure_engine", args: {} });
  await ready;
  return performance.now() - start;
}

async function plain() {
  await chrome.offscreen.closeDocument().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const start = performance.now();
  const worker = new Worker("plain_worker.js", { type: "module" });
  await new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = reject;
  });
  worker.terminate();
  return performance.now() - start;
}

globalThis.bench = { engine, plain };
