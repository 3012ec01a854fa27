// @ts-check
// Lights passages up on the live page with the CSS Custom Highlight API: no element of the page is added or changed.
//
// A quote is looked for without white space, so line breaks, indentation and element borders do not matter;
// among several places the one whose neighbourhood agrees best with `before` and `after` is taken. For a while what
// the page draws anew is lit up again; leaving the page, or Escape, clears everything. Several passages get a small
// bar to step through them, in a closed shadow tree, where neither the page nor our own reading of it looks.
"use strict";

var tabwiseHighlight = (() => {
  const NAME = "tabwise-passage";
  const OTHERS = "tabwise-others";
  const BAR = "tabwise-passages";
  const RULES = `::highlight(${NAME}) { background-color: #ffdf5d; color: #1a1a1a; }
    ::highlight(${OTHERS}) { background-color: #fff3bf; color: #1a1a1a; }`;
  const BAR_RULES = `:host { all: initial; position: fixed; inset-block-end: 16px; inset-inline-end: 16px;
      z-index: 2147483647; }
    div { display: flex; gap: 4px; align-items: center; padding: 4px 6px; border-radius: 10px; color: #191c22;
      background: #fff; box-shadow: 0 2px 12px #0004; font: 13px system-ui, sans-serif; }
    button { all: unset; inline-size: 28px; block-size: 28px; border-radius: 6px; text-align: center; cursor: pointer; }
    button:hover { background: #eef0f4; } button:focus-visible { outline: 2px solid #2a54dd; }
    span { padding-inline: 6px; font-variant-numeric: tabular-nums; }`;
  const WATCH_MS = 60_000;
  const SETTLE_MS = 200;
  const MAX_REPAINTS = 100;
  // White space, the invisible characters that are taken out of a page's text when it is read, and the
  // bar that parts table cells in a quote.
  const IGNORED = /[|\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
  const ALL_IGNORED = new RegExp(IGNORED, "gu");
  const SKIPPED = "script, style, noscript, template, textarea, select, title";

  /** The text of a page without ignored characters, each of which knows the place it came from. */
  class PlainText {
    text = "";
    /** @type {{ node: Text, from: number }[]} text nodes by where they begin in `text` */
    #parts = [];

    /** @param {Node} root */
    constructor(root) {
      /** @type {string[]} */
      const pieces = [];
      let from = 0;
      for (const node of textNodes(root)) {
        const piece = squeeze(node.data);
        this.#parts.push({ node, from });
        pieces.push(piece);
        from += piece.length;
      }
      this.text = pieces.join("");
    }

    /**
     * @param {number} start
     * @param {number} end
     */
    ranges(start, end) {
      const first = this.#parts.findLastIndex((part) => part.from <= start);
      const last = this.#parts.findLastIndex((part) => part.from < end);
      return this.#parts.slice(first, last + 1).map(({ node, from }, i) => {
        // One range for each text node, since a range cannot cross the border of a shadow tree.
        const range = document.createRange();
        range.setStart(node, i > 0 ? 0 : offsetIn(node, start - from));
        range.setEnd(node, first + i < last ? node.length : offsetIn(node, end - 1 - from) + 1);
        return range;
      });
    }
  }

  /**
   * Text nodes in document order, those of open shadow trees included.
   * @param {Node} root
   * @returns {Generator<Text>}
   */
  function* textNodes(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
      node instanceof Element && node.matches(SKIPPED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) yield* node.shadowRoot ? textNodes(node.shadowRoot) : [];
      else yield /** @type {Text} */ (node);
    }
  }

  /** @param {string} text */
  function squeeze(text) {
    return text.replace(ALL_IGNORED, "");
  }

  /**
   * @param {Text} node
   * @param {number} n
   * @returns {number} where in the node its n-th unit that is not ignored lies
   */
  function offsetIn(node, n) {
    let left = n;
    let at = 0;
    for (const character of node.data) {
      if (!IGNORED.test(character)) {
        if (left < character.length) return at + left;
        left -= character.length;
      }
      at += character.length;
    }
    return at;
  }

  /**
   * @param {string} text
   * @param {string} quote
   * @param {string} before
   * @param {string} after
   * @returns {number} where the quote begins in `text`, -1 when it is not there
   */
  function bestPlace(text, quote, before, after) {
    let best = -1;
    let bestAgreement = -1;
    for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
      const agreement =
        commonSuffix(text.slice(Math.max(0, at - before.length), at), before) +
        commonPrefix(text.slice(at + quote.length, at + quote.length + after.length), after);
      if (agreement > bestAgreement) [best, bestAgreement] = [at, agreement];
    }
    return best;
  }

  /** @param {string} a @param {string} b */
  function commonPrefix(a, b) {
    let n = 0;
    while (n < a.length && a[n] === b[n]) n += 1;
    return n;
  }

  /** @param {string} a @param {string} b */
  function commonSuffix(a, b) {
    let n = 0;
    while (n < a.length && a[a.length - 1 - n] === b[b.length - 1 - n]) n += 1;
    return n;
  }

  /** Add our rules to the trees the ranges lie in, once each. @param {Range[]} ranges */
  function addRules(ranges) {
    for (const root of new Set(ranges.map((range) => range.startContainer.getRootNode()))) {
      const scope = /** @type {Document | ShadowRoot} */ (root);
      if (scope.adoptedStyleSheets.some((sheet) => sheet.cssRules[0]?.cssText.includes(NAME))) continue;
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(RULES);
      scope.adoptedStyleSheets.push(sheet);
    }
  }

  /** @param {Range} range */
  function scrollTo(range) {
    const element = range.startContainer.parentElement;
    for (
      let details = element?.closest("details:not([open])");
      details;
      details = details.parentElement?.closest("details:not([open])")
    ) {
      /** @type {HTMLDetailsElement} */ (details).open = true;
    }
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element?.scrollIntoView({ block: "center", behavior: calm ? "instant" : "smooth" });
  }

  /** @typedef {{ quote: string, before: string, after: string }} Passage */
  /** @typedef {{ wanted: string, before: string, after: string, at: number, ranges: Range[] }} Place */

  /** The passages that are lit up, from the call until the page is left. */
  class Lit {
    /** @type {Place[]} */
    #places;
    #current = 0;
    #repaints = 0;
    #timer = 0;
    #left = new AbortController();
    #address = location.href.replace(/#.*/s, "");
    #watch = new MutationObserver(() => this.#changed());
    /** @type {Highlight | undefined} */
    #mine;

    /** @param {Passage[]} passages the first is the one that was asked for */
    constructor(passages) {
      this.#places = passages.map(({ quote, before, after }) => {
        return { wanted: squeeze(quote), before: squeeze(before), after: squeeze(after), at: -1, ranges: [] };
      });
      this.#find();
    }

    /** @returns {boolean} whether the passage that was asked for is there */
    get isFound() {
      return this.#places[0].at >= 0;
    }

    /** @param {Record<string, string>} labels of the bar's buttons */
    start(labels) {
      const asked = this.#places[0];
      const found = this.#places.filter((place) => place.at >= 0);
      this.#places = [...new Map(found.map((place) => [place.at, place])).values()].sort((a, b) => a.at - b.at);
      this.#current = Math.max(0, this.#places.findIndex((place) => place.at === asked.at));
      this.#paint();
      scrollTo(this.#places[this.#current].ranges[0]);
      if (this.#places.length > 1) this.#addBar(labels);
      const { signal } = this.#left;
      addEventListener("pagehide", () => this.#end(), { signal });
      addEventListener("keydown", ({ key }) => key === "Escape" && this.#end(), { signal });
      /** @type {any} */ (globalThis).navigation?.addEventListener("currententrychange", () => this.#leave(), { signal });
      setTimeout(() => this.#watch.disconnect(), WATCH_MS);
    }

    #find() {
      const plain = new PlainText(document.body ?? document.documentElement);
      for (const place of this.#places) {
        const { wanted, before, after } = place;
        place.at = wanted ? bestPlace(plain.text, wanted, before, after) : -1;
        place.ranges = place.at < 0 ? [] : plain.ranges(place.at, place.at + wanted.length);
      }
    }

    #paint() {
      const all = this.#places.flatMap((place) => place.ranges);
      addRules(all);
      const { ranges = [] } = this.#places[this.#current] ?? {};
      this.#mine = new Highlight(...ranges);
      CSS.highlights.set(NAME, this.#mine);
      CSS.highlights.set(OTHERS, new Highlight(...all.filter((range) => !ranges.includes(range))));
      const seen = { subtree: true, childList: true, characterData: true };
      for (const root of new Set([document, ...all.map((range) => range.startContainer.getRootNode())])) {
        this.#watch.observe(root, seen);
      }
    }

    #changed() {
      if (this.#timer) return;
      this.#timer = setTimeout(() => {
        this.#timer = 0;
        this.#leave();
        if (this.#left.signal.aborted || this.#places.every(isWhole)) return;
        this.#find();
        this.#paint();
        this.#repaints += 1;
        if (this.#repaints >= MAX_REPAINTS) this.#watch.disconnect();
      }, SETTLE_MS);
    }

    /** End when the page has become another one, or a later call has taken over. */
    #leave() {
      const isOver = location.href.replace(/#.*/s, "") !== this.#address;
      if (isOver || CSS.highlights.get(NAME) !== this.#mine) this.#end();
    }

    #end() {
      this.#watch.disconnect();
      this.#left.abort();
      if (CSS.highlights.get(NAME) === this.#mine) clear();
    }

    /** @param {number} by */
    #step(by) {
      this.#current = (this.#current + by + this.#places.length) % this.#places.length;
      this.#paint();
      const [range] = this.#places[this.#current].ranges;
      if (range) scrollTo(range);
    }

    /** @param {Record<string, string>} labels */
    #addBar(labels) {
      const host = document.createElement(BAR);
      const root = host.attachShadow({ mode: "closed" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(BAR_RULES);
      root.adoptedStyleSheets = [sheet];
      const box = document.createElement("div");
      box.setAttribute("role", "toolbar");
      box.setAttribute("aria-label", labels.passages);
      const count = document.createElement("span");
      count.setAttribute("role", "status");
      const tell = () => void (count.textContent = `${this.#current + 1} / ${this.#places.length}`);
      /** @param {string} sign @param {string} label @param {() => void} press */
      const button = (sign, label, press) => {
        const made = Object.assign(document.createElement("button"), { textContent: sign, title: label, onclick: press });
        made.setAttribute("aria-label", label);
        return made;
      };
      const step = (/** @type {number} */ by) => () => {
        this.#step(by);
        tell();
      };
      box.append(button("↑", labels.previous, step(-1)), count, button("↓", labels.next, step(1)));
      box.append(button("✕", labels.close, () => this.#end()));
      root.append(box);
      tell();
      document.documentElement.append(host);
    }
  }

  /** Whether the ranges of a place still hold its words. @param {Place} place */
  function isWhole({ wanted, ranges }) {
    return ranges.every((range) => range.startContainer.isConnected) && squeeze(ranges.join("")) === wanted;
  }

  /** Take away what this or an earlier call lit up. */
  function clear() {
    document.querySelector(BAR)?.remove();
    CSS.highlights.delete(NAME);
    CSS.highlights.delete(OTHERS);
  }

  /**
   * @param {Passage[]} passages the first is the one that was asked for; the others are marked beside it
   * @param {Record<string, string>} labels of the bar: passages, previous, next, close
   * @returns {boolean} whether the first was found; what an earlier call lit up goes dark either way
   */
  return (passages, labels) => {
    clear();
    const lit = new Lit(passages);
    if (lit.isFound) lit.start(labels);
    return lit.isFound;
  };
})();
