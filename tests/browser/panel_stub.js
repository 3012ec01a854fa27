// A browser and an engine made of paper: what panel.js asks of `chrome`, and the other end of the channel.
// Requests are recorded and accepted; `hello`, `library`, `cancel` and `show` are answered; the rest is scripted
// by the test through `stub.event`, `stub.done`, `stub.notice` and `stub.setTabs`.
(() => {
  const listeners = [];
  const event = { addListener: (listener) => listeners.push(listener) };
  const channel = new BroadcastChannel("tabwise");
  const stub = { tabs: [], pages: [], requests: [], calls: [], silent: false, helloError: "" };
  const call = (name) => async (...args) => void stub.calls.push([name, ...args]);

  globalThis.chrome = {
    runtime: { getURL: (path) => new URL(`/${path}`, location.href).href, sendMessage: call("sendMessage") },
    tabs: {
      query: async () => stub.tabs,
      update: call("update"),
      create: call("create"),
      onUpdated: event,
      onActivated: event,
      onCreated: event,
      onRemoved: event,
      onMoved: event,
      onAttached: event,
      onDetached: event,
    },
    windows: { update: call("focusWindow") },
    permissions: {
      request: async (wanted) => {
        stub.calls.push(["request", wanted.origins, navigator.userActivation.isActive]);
        return true;
      },
    },
  };

  const stats = { n_pages: 0, n_chunks: 0, n_vectors: 0, size_bytes: 0, model: "", schema_version: 1 };
  stub.post = (message) => channel.postMessage(JSON.stringify({ v: 1, ...message }));
  stub.event = (re, type, fields = {}) => stub.post({ re, type, ...fields });
  stub.done = (re, result) => stub.event(re, "done", { result });
  stub.error = (re, code) => stub.event(re, "error", { code, subject: "", message: code, retryable: false });
  stub.notice = (state, epoch, detail = "") => stub.post({ type: "engine", state, epoch, detail });
  stub.last = (type) => stub.requests.findLast((request) => request.type === type);
  stub.setTabs = (tabs) => {
    stub.tabs = tabs;
    for (const listener of listeners) listener();
  };

  const answers = {
    hello: ({ id }) => {
      if (stub.helloError) return stub.error(id, stub.helloError);
      stub.done(id, { version: "0.1.0", stats, pages: stub.pages, semantic: true, boot_ms: 1 });
    },
    library: ({ id }) => stub.done(id, stub.pages),
    cancel: ({ id, target }) => {
      stub.event(target, "cancelled");
      stub.done(id, { stopped: true });
    },
    show: ({ id }) => stub.done(id, { found: true, tab_id: 1 }),
    remove: ({ id }) => stub.done(id, stats),
    restore: ({ id }) => stub.done(id, stats),
  };
  channel.onmessage = ({ data }) => {
    const request = JSON.parse(data);
    if (!request.id || stub.silent) return;
    stub.requests.push(request);
    stub.event(request.id, "accepted");
    answers[request.type]?.(request);
  };
  globalThis.stub = stub;
})();
