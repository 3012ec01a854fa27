// A browser and an engine made of paper: what panel.js asks of `chrome`, and the other end of the channel.
// Requests are recorded and accepted; `hello`, `library`, `cancel` and `show` are answered; the rest is scripted
// by the test through `stub.event`, `stub.done`, `stub.notice` and `stub.setTabs`.
(() => {
  const listeners = [];
  const event = { addListener: (listener) => listeners.push(listener) };
  const storageListeners = [];
  const accessListeners = [];
  const channel = new BroadcastChannel("tabwise");
  const stub = { tabs: [], pages: [], threads: [], thread: null, matches: [], requests: [], calls: [], silent: false, helloError: "" };
  Object.assign(stub, { settings: null, origins: [], session: {}, grants: true, unsaved: false, language: "en" });
  const call = (name) => async (...args) => void stub.calls.push([name, ...args]);
  const told = (changes, area) => storageListeners.forEach((listener) => listener(changes, area));
  const verbs = {
    settings_get: () => stub.settings,
    settings_set: ({ settings }) => {
      stub.settings = settings;
      told({ settings: { newValue: settings } }, "local");
      return {};
    },
    ensure_engine: () => ({}),
    key_places: () => stub.keyPlaces ?? { session: [], kept: [] },
    tab_pressed: () => ({}),
    key_set: () => ({}),
    key_forget: () => ({}),
  };
  const sendMessage = async ({ verb, args }) => {
    stub.calls.push(["sendMessage", verb, args]);
    return verb === "settings_set" && stub.unsaved ? { ok: false } : { ok: true, value: verbs[verb](args) };
  };

  const wireOf = () => {
    const frame = new BroadcastChannel("tabwise");
    const onMessage = { addListener: (listener) => (frame.onmessage = ({ data }) => listener(data)) };
    return { postMessage: (text) => frame.postMessage(text), onMessage, onDisconnect: event };
  };

  let messages;
  const getMessage = (key) => {
    if (!messages) {
      const request = new XMLHttpRequest();
      request.open("GET", `/_locales/${stub.language}/messages.json`, false);
      request.send();
      messages = JSON.parse(request.responseText);
    }
    return messages[key]?.message ?? "";
  };

  globalThis.chrome = {
    i18n: { getMessage },
    runtime: { getURL: (path) => new URL(`/${path}`, location.href).href, sendMessage, openOptionsPage: call("openOptionsPage"), connect: wireOf },
    tabs: {
      query: async () => stub.tabs,
      update: call("update"),
      create: call("create"),
      reload: call("reload"),
      onUpdated: event,
      onActivated: event,
      onCreated: event,
      onRemoved: event,
      onMoved: event,
      onAttached: event,
      onDetached: event,
    },
    windows: { update: call("focusWindow"), getCurrent: async () => ({ id: 1 }) },
    commands: {
      getAll: async () => [
        { name: "_execute_action", shortcut: "Alt+Shift+A" },
        { name: "search_pages", shortcut: "" },
      ],
    },
    action: { setBadgeText: call("badge") },
    storage: {
      local: { get: async () => ({ settings: stub.settings }) },
      session: {
        get: async (wanted) => (typeof wanted === "string" ? { ...stub.session } : { ...wanted, ...stub.session }),
        remove: async (name) => delete stub.session[name],
      },
      onChanged: { addListener: (listener) => storageListeners.push(listener) },
    },
    permissions: {
      request: async (wanted) => {
        stub.calls.push(["request", wanted.origins, navigator.userActivation.isActive]);
        if (stub.grants) stub.setAccess([...stub.origins, ...wanted.origins]);
        return stub.grants;
      },
      remove: async ({ origins }) => {
        stub.calls.push(["revoke", origins]);
        stub.setAccess(stub.origins.filter((origin) => !origins.includes(origin)));
        return true;
      },
      getAll: async () => ({ origins: stub.origins, permissions: [] }),
      onAdded: { addListener: (listener) => accessListeners.push(listener) },
      onRemoved: { addListener: (listener) => accessListeners.push(listener) },
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

  stub.setAccess = (origins) => {
    stub.origins = origins;
    for (const listener of accessListeners) listener();
  };
  stub.setSettings = (settings) => {
    stub.settings = settings;
    told({ settings: { newValue: settings } }, "local");
  };
  stub.setSession = (name, value) => {
    stub.session[name] = value;
    told({ [name]: { newValue: value } }, "session");
  };

  stub.embedder = {
    id: "all-MiniLM-L6-v2",
    dimensions: 384,
    licence: "Apache-2.0",
    stored: "all-MiniLM-L6-v2",
    must_reembed: false,
    is_own: false,
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
    starters: ({ id }) => stub.done(id, stub.starters ?? []),
    saved_text: ({ id }) => stub.done(id, stub.savedText),
    remove: ({ id }) => stub.done(id, stats),
    restore: ({ id }) => stub.done(id, stats),
    locate: ({ id, urls }) => stub.done(id, urls.map((url) => ({ url, source: url.replace(/#.*/, "") }))),
    embedder: ({ id }) => stub.done(id, stub.embedder),
    threads: ({ id }) => stub.done(id, stub.threads),
    thread: ({ id }) => stub.done(id, stub.thread),
    thread_turns: ({ id, turns }) => stub.done(id, stub.thread.turns.filter((turn) => turns.includes(turn.id)).map((turn) => ({ ...turn, whole: true }))),
    choose_turn: ({ id }) => stub.done(id, stub.thread.row),
    find_threads: ({ id }) => stub.done(id, stub.matches),
    rename_thread: ({ id, thread, title }) => stub.done(id, { ...stub.threads.find((row) => row.id === thread), title }),
    pin_thread: ({ id, thread, pinned }) => stub.done(id, { ...stub.threads.find((row) => row.id === thread), pinned }),
    remove_threads: ({ id, threads }) => stub.done(id, stub.threads.filter((row) => !threads.includes(row.id))),
    restore_threads: ({ id }) => stub.done(id, stub.threads),
    remove_all: ({ id }) => stub.done(id, stats),
    restore_all: ({ id }) => stub.done(id, stats),
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
