// @ts-check
/**
 * Starts MicroPython for a page of the extension and lends it what only JavaScript has: the channel,
 * tabs, permissions, storage, timers. Texts cross in both directions; what they mean is decided in Python
 * (tabwise/ui).
 */
import { startMicroPython } from "./micropython.js";

const TABS_SETTLE_MS = 50;
const BADGE_MS = 4_000;
const RESTS = 3; // how much longer than drawing
const MAX_REST_MS = 150;
const FILE_MS = 60_000;
const PAGE = document.body.dataset.page ?? "panel";
const BROWSER_LANGUAGE = chrome.i18n.getMessage("locale");

/** @type {{receive(text: string): void, hear(text: string): void, frame(): void} | undefined} */
let app;
/** @type {BroadcastChannel | undefined} */
let channel;
let everyWindow = false;
let frameTimer = 0;
let nextFrame = 0;
let restUntil = 0;

/** @type {chrome.runtime.Port | undefined} in a frame, whose channel is not that of our other pages */
let wire;
/** @type {MessagePort | undefined} to the script in the page that this frame stands in */
let pagePort;

/** @param {object} event */
const send = (event) => app?.receive(JSON.stringify(event));

/** @param {unknown[]} act of the script in the page: its name and what goes with it */
const toPage = (...act) => pagePort?.postMessage(JSON.stringify(act));

/** @type {Record<string, (...args: any[]) => void> | undefined} */
const speech =
  PAGE === "voice"
    ? Object.fromEntries(["listen", "unlisten", "utter", "hush"].map((act) => [act, (...args) => toPage(act, ...args)]))
    : globalThis.tabwiseSpeech?.(send);

/** @type {Record<string, any> | undefined} the pages of a PDF, where there is a place for them */
const pdfView = globalThis.tabwisePdf?.(send);

/** Take the port that our script in the page sends; the page itself does not know the word that comes with it. */
const watchPage = () => {
  addEventListener("message", async ({ data, ports: [port] }) => {
    const { voice = "" } = /** @type {any} */ (await chrome.storage.session.get("voice"));
    if (pagePort || !port || !voice || data !== voice) return;
    pagePort = port;
    port.onmessage = ({ data: text }) => app?.receive(text);
    send({ type: "voice_ready" });
  });
};

const connectWire = () => {
  wire = chrome.runtime.connect({ name: "wire" });
  wire.onMessage.addListener((text) => send({ type: "wire", text }));
  wire.onDisconnect.addListener(() => setTimeout(connectWire, BADGE_MS));
};

/** Draw, and note until when to rest: what comes from elsewhere is drawn in a quarter of the time at most. */
const draw = () => {
  const began = performance.now();
  const note = () => {
    const now = performance.now();
    restUntil = now + Math.min(MAX_REST_MS, RESTS * (now - began));
  };
  app?.frame();
  note();
  setTimeout(note); // the browser has laid it out by then
};

/** @param {string} id */
const byId = (id) => document.getElementById(id);

/** Colours and language as they were chosen, before Python can read the settings. */
const chosenLooks = async () => {
  const stored = /** @type {any} */ (await chrome.storage.local.get("settings"));
  const { appearance = "system", language = "" } = stored.settings?.preferences ?? {};
  document.documentElement.dataset.appearance = String(appearance);
  return String(language) || BROWSER_LANGUAGE;
};

const sendShortcuts = async () => {
  const commands = await chrome.commands.getAll();
  send({ type: "shortcuts", keys: Object.fromEntries(commands.map(({ name, shortcut }) => [name, shortcut])) });
};

/** What stands on the page before Python draws it, in the browser's language. */
const writeStill = () => {
  document.documentElement.lang = BROWSER_LANGUAGE;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-words]"))) {
    const words = chrome.i18n.getMessage(element.dataset.words ?? "");
    if (element instanceof HTMLTextAreaElement) element.placeholder = words;
    else element.textContent = words;
  }
};

/**
 * The Tab record of the protocol.
 * @param {chrome.tabs.Tab} tab
 * @param {number} windowId of this window: the active tab is the one the reader is on
 */
const tabRecord = (tab, windowId) => ({
  tab_id: tab.id ?? -1,
  window_id: tab.windowId,
  index: tab.index,
  url: (tab.url ?? tab.pendingUrl ?? "").toWellFormed(),
  title: (tab.title ?? "").toWellFormed(),
  favicon: tab.favIconUrl ?? "",
  active: tab.active && tab.windowId === windowId,
  loading: tab.status === "loading",
  asleep: Boolean(tab.discarded || tab.frozen),
  private: tab.incognito,
  last_accessed: tab.lastAccessed ?? 0,
});

const sendTabs = async () => {
  const [{ id }, tabs] = await Promise.all([
    chrome.windows.getCurrent(),
    chrome.tabs.query(everyWindow ? { windowType: "normal" } : { currentWindow: true }),
  ]);
  send({ type: "tabs", tabs: tabs.map((tab) => tabRecord(tab, id ?? -1)) });
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

/** @param {string} verb @param {object} args */
const askWorker = (verb, args = {}) => chrome.runtime.sendMessage({ to: "sw", verb, args });

const sendSettings = async () => {
  const reply = await askWorker("settings_get");
  if (reply?.ok) send({ type: "settings", value: reply.value });
};

const sendAccess = async () => {
  const [{ origins }, { pressed }] = await Promise.all([
    chrome.permissions.getAll(),
    chrome.storage.session.get({ pressed: {} }),
  ]);
  send({ type: "access", origins: origins ?? [], tabs: pressed });
};

const sendKeyPlaces = async () => {
  const reply = await askWorker("key_places");
  if (reply?.ok) send({ type: "key_places", session: reply.value.session, kept: reply.value.kept });
};

/** Take the word that the context menu left for the panel of this window. */
const takeMenu = async () => {
  if (PAGE !== "panel") return;
  const [{ id }, session] = await Promise.all([chrome.windows.getCurrent(), chrome.storage.session.get("menu")]);
  const menu = /** @type {any} */ (session).menu;
  if (!menu || menu.window_id !== id) return;
  await chrome.storage.session.remove("menu");
  await Promise.all([sendTabs(), sendAccess()]); // it may speak of a tab of this moment
  send({ type: "menu", item: menu.item, tab_id: menu.tab_id, text: menu.text });
};

/**
 * Files that were chosen or dropped, each under an address that Python gives back.
 * @param {FileList} files
 */
const handOver = (files) => {
  const given = [...files].map((file) => ({ name: file.name.toWellFormed(), url: URL.createObjectURL(file) }));
  send({ type: "files", files: given });
};

/**
 * Files of a model, which are told with their size; the name of a folder comes with those chosen by it.
 * @param {HTMLInputElement} input
 */
const handOverModel = ({ id, files }) => {
  const chosen = [...(files ?? [])];
  const given = chosen.map((file) => ({
    name: file.name.toWellFormed(),
    url: URL.createObjectURL(file),
    size_bytes: file.size,
  }));
  const folder = chosen[0]?.webkitRelativePath.split("/")[0].toWellFormed() ?? "";
  send({ type: id.replace("-", "_"), name: folder, files: given });
};

const watchModelFiles = () => {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "file" || !target.files?.length) return;
    handOverModel(target);
    target.value = "";
  });
};

/**
 * What the address of this page says is read in Python.
 * @param {string} type of the event
 */
const watchAddress = (type) => {
  const open = () => send({ type, text: decodeURIComponent(location.hash.slice(1)) });
  addEventListener("hashchange", open);
  open();
};

const watchFiles = () => {
  let over = false;
  const tell = (/** @type {boolean} */ now) => {
    if (now !== over) send({ type: "drag", over: now });
    over = now;
  };
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.files?.length) return;
    handOver(target.files);
    target.value = ""; // so that the same file can be chosen again
  });
  for (const name of /** @type {const} */ (["dragenter", "dragover", "drop"])) {
    document.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      tell(name !== "drop");
      if (name === "drop") handOver(event.dataTransfer.files);
    });
  }
  document.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget ?? tell(false));
};

/**
 * Save a file that the engine wrote beside the library: it goes from disk to disk, through no message.
 * @param {string} name
 * @param {string} fileName
 */
const giveFile = async (name, fileName) => {
  const root = await navigator.storage.getDirectory();
  const file = await (await (await root.getDirectoryHandle("library")).getFileHandle(name)).getFile();
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { download: fileName, href }).click();
  setTimeout(() => URL.revokeObjectURL(href), FILE_MS);
};

const watchStorage = () => {
  chrome.storage.onChanged.addListener((changes, area) => {
    if (area === "local" && changes.settings) send({ type: "settings", value: changes.settings.newValue ?? null });
    if (area === "session" && changes.pressed) void sendAccess();
    if (Object.keys(changes).some((item) => item.startsWith("key:"))) void sendKeyPlaces();
    if (area === "session" && changes.menu?.newValue) void takeMenu();
  });
  chrome.permissions.onAdded.addListener(sendAccess);
  chrome.permissions.onRemoved.addListener(sendAccess);
  return Promise.all([sendSettings(), sendAccess(), sendKeyPlaces()]);
};

/**
 * What `tabwise.ui.app` may call, with texts and small numbers.
 * @type {Record<string, (...args: any[]) => unknown>}
 */
const host = {
  stamp: () => JSON.stringify({ id: crypto.randomUUID(), now: Date.now(), offset_min: new Date().getTimezoneOffset() }),
  connect(name) {
    if (PAGE === "voice") return connectWire();
    channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => typeof data === "string" && app?.hear(data);
  },
  post: (text) => (wire ?? channel)?.postMessage(text),
  listen: (language) => speech?.listen(language),
  unlisten: () => speech?.unlisten(),
  utter: (text, language) => speech?.utter(text, language),
  hush: () => speech?.hush(),
  voiceKey: (code) => toPage("voice_key", code),
  voiceOpen: (open) => toPage("voice_open", open),
  ensure() {
    const done = () => send({ type: "ensured" });
    askWorker("ensure_engine").then(done, console.warn);
  },
  /** Runs inside the click that led here: Chrome shows its question only then. */
  grant(origins, then) {
    const go = (/** @type {boolean} */ granted) => send({ ...JSON.parse(then), granted });
    chrome.permissions.request({ origins: JSON.parse(origins) }).then(go, (error) => {
      console.warn(error);
      go(false);
    });
  },
  revoke: (origins) => void chrome.permissions.remove({ origins: JSON.parse(origins) }).catch(console.warn),
  wake: (tabId) => void chrome.tabs.reload(tabId).catch(console.warn),
  listWindows(every) {
    everyWindow = every;
    void sendTabs();
  },
  saveSettings: (text) =>
    void askWorker("settings_set", { settings: JSON.parse(text) })
      .catch(() => null)
      .then((reply) => reply?.ok || send({ type: "settings_unsaved" })),
  loadSettings: () => void sendSettings(),
  setKey: (name, value, place) =>
    void askWorker("key_set", { name, value, kept: place === "kept" })
      .catch(() => null)
      .then((reply) => reply?.ok || send({ type: "settings_unsaved" })),
  forgetKey: (name) => void askWorker("key_forget", { name }).catch(console.warn),
  appearance: (look) => void (document.documentElement.dataset.appearance = look),
  chooseFiles: (id) => byId(id)?.click(),
  release: (url) => URL.revokeObjectURL(url),
  save(name, type, text) {
    const href = URL.createObjectURL(new Blob([text], { type }));
    Object.assign(document.createElement("a"), { download: name, href }).click();
    setTimeout(() => URL.revokeObjectURL(href), BADGE_MS);
  },
  keepStorage: () => void navigator.storage.persist().then(() => send({ type: "doctor_again" })),
  openDetails: () => void chrome.tabs.create({ url: `chrome://extensions/?id=${chrome.runtime.id}` }),
  /** Runs inside the click that led here: the browser downloads a model of its own only then. */
  fetchBrowserModel(name) {
    const api = name === "summarizer" ? self.Summarizer : self.LanguageModel;
    const done = () => send({ type: "doctor_again" });
    api?.create({}).then((/** @type {any} */ made) => made.destroy()).catch(console.warn).finally(done);
  },
  giveFile: (name, fileName) => void giveFile(name, fileName).catch(console.warn),
  visit: (url) =>
    void chrome.tabs.create({ url, active: false }).then(
      ({ id }) => send({ type: "visited", url, tab_id: id ?? 0 }),
      () => send({ type: "visited", url, tab_id: 0 }),
    ),
  closeTab: (tabId) => void chrome.tabs.remove(tabId).catch(console.warn),
  openSettings: () => void chrome.runtime.openOptionsPage(),
  openPanel: (windowId) => void chrome.sidePanel.open({ windowId }).then(() => close(), console.warn),
  badge(text) {
    void chrome.action.setBadgeText({ text });
    setTimeout(() => void chrome.action.setBadgeText({ text: "" }), BADGE_MS);
  },
  timer: (ms, event) => void setTimeout(() => app?.receive(event), ms),
  /** @param {boolean} canWait until drawing has rested; asked again, it takes the place of what was asked before */
  askFrame(canWait) {
    clearTimeout(frameTimer);
    cancelAnimationFrame(nextFrame);
    const next = () => {
      if (document.hidden) draw();
      else nextFrame = requestAnimationFrame(draw);
    };
    const rest = canWait ? restUntil - performance.now() : 0;
    if (document.hidden || rest > 0) frameTimer = setTimeout(next, document.hidden ? TABS_SETTLE_MS : rest);
    else next();
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
  print: () => print(),
  focus: (id) => byId(id)?.focus(),
  refocus: (id) => document.activeElement === document.body && byId(id)?.focus(),
  scroll: (id) => byId(id)?.scrollIntoView({ block: "start" }),
  focusTab(tabId, windowId) {
    chrome.tabs.update(tabId, { active: true }).catch(console.warn);
    chrome.windows.update(windowId, { focused: true }).catch(console.warn);
  },
  open: (url) => void chrome.tabs.create({ url }),
  pdf: (act, ...args) => pdfView?.[act](...args),
  reload: () => location.reload(),
};

if (PAGE === "popup") void askWorker("tab_pressed");
if (PAGE === "voice") watchPage(); // before the frame has loaded: then the port comes

const boot = async () => {
  writeStill();
  const [language, python] = await Promise.all([chosenLooks(), startMicroPython()]);
  const question = /** @type {HTMLTextAreaElement | null} */ (byId("question"));
  const { start } = python.pyimport("tabwise.ui.app");
  app = start(host, question?.value ?? "", PAGE, language, BROWSER_LANGUAGE);
  watchTabs();
  if (PAGE === "panel") watchFiles();
  if (PAGE === "saved") watchAddress("saved_open");
  if (PAGE === "settings") {
    watchModelFiles();
    void sendShortcuts();
  }
  await watchStorage();
  if (PAGE === "pdf") watchAddress("pdf_open"); // rules and grants are known by now
  void takeMenu();
  performance.mark("interactive");
};

boot().catch((error) => {
  console.error(error);
  byId("boot-failed")?.removeAttribute("hidden");
});
