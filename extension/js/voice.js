// @ts-check
// A conversation by voice on the page it was switched on for: the microphone, the voice and the key to talk. The icon
// is a page of ours in a frame, where Python decides (tabwise/ui/events/voice.py); the two speak through a port that
// the page cannot reach. Leaving the page, or switching it on again, takes everything away.
"use strict";

var tabwiseVoice = (() => {
  const TAG = "tabwise-voice";
  const RULES = `:host { all: initial; position: fixed; inset-block-end: 12px; inset-inline-end: 12px; z-index: 2147483646; }
    iframe { display: block; border: 0; inline-size: 64px; block-size: 64px; color-scheme: normal; }
    iframe[data-open] { inline-size: min(400px, 90vw); block-size: min(520px, 80vh); }`;
  const FIELDS = "input, textarea, select, [role=textbox], [role=searchbox], [role=combobox]";
  const makeSpeech = tabwiseSpeech;

  /** Whether a key there is for a text. @param {KeyboardEvent} event */
  const isTyped = (event) => {
    const [target] = event.composedPath();
    if (!(target instanceof HTMLElement)) return false;
    return target.isContentEditable || target.matches(FIELDS) || document.designMode === "on";
  };

  /**
   * @param {string} address of the page with the icon
   * @param {string} origin that this page has inside its frame
   * @param {string} word by which it knows that the port comes from here, not from the page
   * @returns {boolean} whether it is on now
   */
  return (address, origin, word) => {
    const before = document.querySelector(TAG);
    before?.dispatchEvent(new Event("tabwise-off"));
    before?.remove();
    if (before) return false;
    const off = new AbortController();
    const { signal } = off;
    const { port1, port2 } = new MessageChannel();
    const tell = (/** @type {object} */ event) => port1.postMessage(JSON.stringify(event));
    const speech = makeSpeech(tell);
    const host = document.createElement(TAG);
    const root = host.attachShadow({ mode: "closed" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(RULES);
    root.adoptedStyleSheets = [sheet];
    const frame = Object.assign(document.createElement("iframe"), { src: address });
    let code = "";

    /** @type {Record<string, (...args: any[]) => void>} */
    const acts = {
      ...speech,
      voice_key: (key) => void (code = key),
      voice_open: (open) => void frame.toggleAttribute("data-open", open),
    };
    port1.onmessage = ({ data }) => {
      const [name, ...args] = JSON.parse(data);
      acts[name]?.(...args);
    };
    const end = () => {
      off.abort();
      speech.end();
      port1.close();
      host.remove();
    };
    let down = false;
    const release = () => {
      if (down) tell({ type: "voice_key", down: false });
      down = false;
    };
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.isTrusted && event.key === "Escape") tell({ type: "voice_stop" }); // the page has it, too
      if (!event.isTrusted || event.code !== code || (!down && isTyped(event))) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!down) tell({ type: "voice_key", down: true });
      down = true;
    };
    addEventListener("keydown", press, { signal, capture: true });
    addEventListener("keyup", (event) => event.code === code && release(), { signal, capture: true });
    addEventListener("blur", release, { signal });
    addEventListener("pagehide", end, { signal });
    host.addEventListener("tabwise-off", end, { signal });
    const join = () => frame.contentWindow?.postMessage(word, origin, [port2]);
    frame.addEventListener("load", join, { once: true });
    root.append(frame);
    document.documentElement.append(host);
    return true;
  };
})();
