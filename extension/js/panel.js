// @ts-check
/**
 * Starts MicroPython and lends it what only JavaScript has: the channel, tabs, permissions, timers.
 * Texts cross in both directions; what they mean is decided in Python (tabwise/ui).
 */

const TABS_SETTLE_MS = 50;
const { scheduler } = /** @type {any} */ (globalThis);

/** @type {{receive(text: string): void, frame(): void} | undefined} */
let app;
/** @type {BroadcastChannel | undefined} */
let channel;

/** @param {object} event */
const send = (event) => app?.receive(JSON.stringify(event));

/** @param {string} id */
const byId = (id) => document.getElementById(id);

/** @param {chrome.tabs.Tab} tab the Tab record of the protocol */
const tabRecord = (tab) => ({
  tab_id: tab.id ?? -1,
  window_id: tab.windowId,
  index: tab.index,
  url: (tab.url ?? tab.pendingUrl ?? "").toWellFormed(),
  title: (tab.title ?? "").toWellFormed(),
  favicon: tab.favIconUrl ?? "",
  active: tab.active,
  loading: tab.status === "loading",
  asleep: Boolean(tab.discarded || tab.frozen),
  private: tab.incognito,
  last_accessed: tab.lastAccessed ?? 0,
});

const sendTabs = async () => {
  const tabs = await chrome.tabs.query({ currentWindow: true });
  send({ type: "tabs", tabs: tabs.map(tabRecord) });
};

const watchTabs = () => {
  let timer = 0;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(sendTabs, TABS_SETTLE_MS);
  };
  const { onUpdated, onActivated, onCreated, onRemoved, onMoved, onAttached, onDetached } = chrome.tabs;
  for (const event of [onUpdated, onActivated, onCreated, onRemoved, onMoved, onAttached, onDetached]) {
    event.addListener(changed);
  }
  sendTabs();
};

/**
 * What `tabwise.ui.app` may call, with texts and small numbers.
 * @type {Record<string, (...args: any[]) => unknown>}
 */
const host = {
  stamp: () => JSON.stringify({ id: crypto.randomUUID(), now: Date.now() }),
  connect(name) {
    channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => send({ type: "wire", text: data });
  },
  post: (text) => channel?.postMessage(text),
  ensure() {
    const done = () => send({ type: "ensured" });
    chrome.runtime.sendMessage({ to: "sw", verb: "ensure_engine", args: {} }).then(done, console.warn);
  },
  /** Runs inside the click that led here: Chrome shows its question only then. */
  grant(origins, then) {
    const go = () => app?.receive(then);
    chrome.permissions.request({ origins: JSON.parse(origins) }).then(go, go);
  },
  timer: (ms, event) => void setTimeout(() => app?.receive(event), ms),
  askFrame() {
    const draw = () => app?.frame();
    if (document.hidden) setTimeout(draw, TABS_SETTLE_MS);
    else requestAnimationFrame(draw);
  },
  copy: (text) =>
    void navigator.clipboard.writeText(text).then(
      () => send({ type: "copied", ok: true }),
      () => send({ type: "copied", ok: false }),
    ),
  announce(text) {
    const live = byId("live");
    if (live) live.textContent = text;
  },
  focus: (id) => byId(id)?.focus(),
  refocus: (id) => document.activeElement === document.body && byId(id)?.focus(),
  scroll: (id) => byId(id)?.scrollIntoView({ block: "start" }),
  focusTab(tabId, windowId) {
    chrome.tabs.update(tabId, { active: true }).catch(console.warn);
    chrome.windows.update(windowId, { focused: true }).catch(console.warn);
  },
  open: (url) => void chrome.tabs.create({ url }),
  reload: () => location.reload(),
};

const boot = async () => {
  const at = (/** @type {string} */ path) => chrome.runtime.getURL(path);
  const [{ loadMicroPython }, sources] = await Promise.all([
    import(at("vendor/micropython/micropython.mjs")),
    fetch(at("python/ui.json")).then((reply) => reply.json()),
  ]);
  const python = await loadMicroPython({ url: at("vendor/micropython/micropython.wasm") });
  for (const [path, source] of Object.entries(sources)) {
    python.FS.mkdirTree(`/lib/${path.slice(0, path.lastIndexOf("/"))}`);
    python.FS.writeFile(`/lib/${path}`, source);
  }
  // compiled one by one, so that the page answers in between; in this order few modules import many others
  for (const path of Object.keys(sources).sort().reverse()) {
    python.pyimport(path.replace(/(\/__init__)?\.py$/, "").replaceAll("/", "."));
    await scheduler.yield();
  }
  const question = /** @type {HTMLTextAreaElement | null} */ (byId("question"));
  app = python.pyimport("tabwise.ui.app").start(host, question?.value ?? "");
  watchTabs();
  performance.mark("interactive");
};

boot().catch((error) => {
  console.error(error);
  byId("boot-failed")?.removeAttribute("hidden");
});
