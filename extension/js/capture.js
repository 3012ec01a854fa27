// @ts-check
// Reads the page once, read-only, and returns what a person can see of it as a compact tree (JSON text).
// The wire form is described in tabwise/core/capture.py; visibility.js decides what is seen.
//
// It gives way to the page every few milliseconds. After `maxChars` characters, or after a time limit, the
// rest is only counted, without style, so that the reader can be told "first N of M".
"use strict";

/**
 * @typedef {{ tag: string, attributes: Record<string, string>, children: (Branch | { text: string })[] }} Branch
 * @typedef {[string, Record<string, string>, ...(string | object)[]]} Wire
 * @typedef {{ nodes: Node[], next: number, atEnd?: () => void, branch: Branch, style: CSSStyleDeclaration | null,
 *   around: Surroundings, aroundSummary: Surroundings | null, pre: boolean, heading: boolean, depth: number }} Level
 * @typedef {Omit<Level, "nodes" | "next" | "atEnd">} Inside
 */

var tabwiseCapture = (() => {
  const SLICE_MS = 12;
  const READ_LIMIT_MS = 6_000;
  const COUNT_LIMIT_MS = 2_000;
  const MAX_DEPTH = 120;
  const MAX_ATTRIBUTE_CHARS = { class: 200, id: 100, role: 50, lang: 40, colspan: 5, rowspan: 5, href: 2_000 };
  const UNSEEN = words("script style noscript template link meta title base datalist rt rp");
  const PICTURES = words("img video audio canvas svg object embed map");
  const CONTROLS = words("input textarea select button progress meter");
  const FRAMES = words("iframe frame");
  const HEADINGS = words("h1 h2 h3 h4 h5 h6 summary dt");
  const KEPT = words(
    "h1 h2 h3 h4 h5 h6 summary dt a address article aside blockquote br caption code dd details dl fieldset " +
      "figcaption figure footer form header hr li main menu nav ol p pre section table tbody td tfoot th thead time " +
      "tr ul",
  );
  const MIN_VIDEO_PX = 200;
  const CARD_FIELD = /(^|\s)cc-(number|csc|exp)|card[-_ ]?num|cc[-_]?num|\b(cvv|cvc)\d?\b/i;
  const INLINE = words("a code time");
  const KEPT_EMPTY = words("br hr td th");

  class Walk {
    #visibility = new tabwiseVisibility();
    #sliceStart = performance.now();
    #stopAt = performance.now() + READ_LIMIT_MS;
    #nRead = 0;
    #nCounted = 0;
    #maxChars;
    #counting = false;
    #hasVideo = false;
    /** @type {Range | null} */
    #range;
    #secrets = { has_password: false, has_payment: false };
    /** @type {Level[]} */
    #levels = [];

    /**
     * @param {number} maxChars
     * @param {Range | null} range what to read, null for the whole page
     */
    constructor(maxChars, range) {
      this.#maxChars = maxChars;
      this.#range = range;
    }

    async run() {
      const root = branch("body", {});
      const level = {
        branch: root,
        style: null,
        around: this.#visibility.outermost(),
        aroundSummary: null,
        pre: false,
        heading: false,
        depth: 0,
      };
      this.#push(level, [document.documentElement]);
      while (this.#levels.length > 0) {
        this.#step();
        if ((await this.#gaveWay()) && this.#sliceStart > this.#stopAt && !this.#startCounting()) break;
      }
      for (const _ of this.#visibility.settle()) await this.#gaveWay();
      const tree = toWire(root, false);
      await this.#gaveWay();
      const n_read_chars = nChars(tree);
      await this.#gaveWay();
      const n_total_chars = n_read_chars + this.#nCounted;
      return { root: tree, n_read_chars, n_total_chars, has_video: this.#hasVideo, ...this.#secrets };
    }

    /** Let the page run when it has waited for a while; returns whether it did. */
    async #gaveWay() {
      if (performance.now() - this.#sliceStart < SLICE_MS) return false;
      await pause();
      this.#sliceStart = performance.now();
      return true;
    }

    /** One node of the innermost open level. */
    #step() {
      const level = this.#levels[this.#levels.length - 1];
      if (level.next === level.nodes.length) {
        this.#levels.pop();
        level.atEnd?.();
        return;
      }
      const node = level.nodes[(level.next += 1) - 1];
      if (!node.isConnected || (this.#range && !this.#range.intersectsNode(node))) return;
      if (node.nodeType === Node.TEXT_NODE) this.#text(/** @type {Text} */ (node), level);
      else if (node.nodeType === Node.ELEMENT_NODE) this.#element(/** @type {HTMLElement} */ (node), level);
    }

    /** @returns {boolean} false when counting is over as well */
    #startCounting() {
      if (this.#counting) return false;
      this.#counting = true;
      this.#stopAt = performance.now() + COUNT_LIMIT_MS;
      return true;
    }

    /** @param {Text} node @param {Level} level */
    #text(node, level) {
      if (this.#counting) {
        this.#nCounted += node.data.trim().length;
        return;
      }
      const { style, around, branch: into } = level;
      if (!style) return;
      const preserved = style.whiteSpaceCollapse !== "collapse";
      const raw = this.#selected(node).toWellFormed();
      const text = preserved ? raw : raw.replace(/[ \t\n\r\f]+/g, " ");
      if (text.trim() === "") {
        if (text) into.children.push({ text: preserved && level.pre ? text : " " });
        return;
      }
      const lines = preserved && !level.pre ? text.split("\n") : [text];
      const pieces = lines.map((line) => ({ text: line }));
      if (!this.#visibility.shows(node, style, around, pieces)) return;
      for (const [i, piece] of pieces.entries()) {
        piece.text = this.#within(piece.text);
        into.children.push(...(i > 0 ? [branch("br", {})] : []), piece);
      }
    }

    /** @param {Text} node */
    #selected(node) {
      const range = this.#range;
      const end = range?.endContainer === node ? range.endOffset : node.length;
      const start = range?.startContainer === node ? range.startOffset : 0;
      return node.data.slice(start, end);
    }

    /**
     * @param {string} text
     * @returns {string} as much of it as may still be read
     */
    #within(text) {
      const left = Math.max(0, this.#maxChars - this.#nRead);
      this.#nRead += text.length;
      if (text.length <= left) return text;
      this.#nCounted += text.length - left;
      this.#startCounting();
      return text.slice(0, left).replace(/[\ud800-\udbff]$/, "");
    }

    /** @param {HTMLElement} element @param {Level} level */
    #element(element, level) {
      const tag = element.localName;
      if (tag === "input" || tag === "iframe") this.#noteSecret(element);
      if (UNSEEN.has(tag) || (CONTROLS.has(tag) && !(tag === "button" && level.heading))) return;
      if (this.#counting) {
        if (!PICTURES.has(tag) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
          this.#push({ ...level, branch: branch(tag, {}) }, flatChildren(element));
        }
        return;
      }
      const style = getComputedStyle(element);
      const outer = (tag === "summary" && level.aroundSummary) || level.around;
      const around = this.#visibility.enter(element, style, outer);
      if (!around) return;
      if (tag === "video") this.#hasVideo ||= element.clientWidth >= MIN_VIDEO_PX;
      if (PICTURES.has(tag)) return;
      const pre = level.pre || tag === "pre";
      const heading = level.heading || HEADINGS.has(tag);
      /** @type {Inside} */
      const inside = { branch: level.branch, style, around, aroundSummary: null, pre, heading, depth: level.depth + 1 };
      if (FRAMES.has(tag)) return this.#frame(/** @type {HTMLIFrameElement} */ (element), inside);
      const kept = keptTag(tag, style, level.depth);
      if (tag === "a" && !isInline(style)) level.branch.children.push((inside.branch = branch("div", {})));
      if (kept) {
        const own = branch(kept, attributesOf(element, kept));
        inside.branch.children.push(own);
        inside.branch = own;
      }
      if (tag === "details" && !element.hasAttribute("open")) foldAllButSummary(inside);
      this.#generated(element, "::before", inside);
      this.#push(inside, flatChildren(element), () => this.#generated(element, "::after", inside));
    }

    /**
     * Note a field that asks for a password or a card. Payment services put theirs into a frame of their own, which
     * needs the page's leave to pay.
     * @param {HTMLElement} element an input or a frame
     */
    #noteSecret(element) {
      const input = /** @type {HTMLInputElement} */ (element);
      const isPassword = input.type === "password";
      const isCard = [input.autocomplete, input.name, input.id].some((said) => CARD_FIELD.test(said));
      const mayPay = /\bpayment\b/.test(element.getAttribute("allow") ?? "");
      if ((isPassword || isCard || mayPay) && isShown(element)) {
        this.#secrets[isPassword ? "has_password" : "has_payment"] = true;
      }
    }

    /** @param {HTMLIFrameElement} frame @param {Inside} inside */
    #frame(frame, inside) {
      // Null for another origin: what lies there is not this page's.
      const inner = frame.contentDocument;
      if (!inner?.documentElement) return;
      const section = branch("section", {});
      inside.branch.children.push(section);
      this.#push({ ...inside, branch: section, around: this.#visibility.insideFrame(inside.around, frame, inner) }, [
        inner.documentElement,
      ]);
    }

    /**
     * Text that a style sheet writes before or after the children. Bullets, arrows and icons are no text; the
     * glyphs of MathJax are.
     * @param {HTMLElement} element
     * @param {"::before" | "::after"} pseudo
     * @param {Inside} inside
     */
    #generated(element, pseudo, { branch: into, around }) {
      if (this.#counting || this.#range) return;
      const style = getComputedStyle(element, pseudo);
      const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(style.content);
      if (!quoted || !(element.localName === "mjx-c" ? /\S/ : /[\p{L}\p{N}]{2}/u).test(quoted[1])) return;
      const text = quoted[1].replace(/\\(.)/gs, "$1").toWellFormed();
      if (this.#visibility.showsGenerated(style, around)) into.children.push({ text: this.#within(text) });
    }

    /** @param {Inside} level @param {Node[]} nodes @param {() => void} [atEnd] */
    #push(level, nodes, atEnd) {
      this.#levels.push({ ...level, nodes, next: 0, atEnd });
    }
  }

  /** @param {string} text */
  function words(text) {
    return new Set(text.split(" "));
  }

  /** @param {Element} element */
  function isShown(element) {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  }

  /**
   * Of closed details only the summary is on the screen; the rest is a click away, so it is read and marked.
   * @param {Inside} inside
   */
  function foldAllButSummary(inside) {
    inside.branch.attributes.role = "folded";
    inside.aroundSummary = inside.around;
    inside.around = { ...inside.around, folded: true };
  }

  /**
   * @param {string} tag
   * @param {CSSStyleDeclaration} style
   * @param {number} depth
   * @returns {string} the tag it has in the capture, "" when only its contents matter
   */
  function keptTag(tag, style, depth) {
    if (depth > MAX_DEPTH) return "";
    if (KEPT.has(tag)) return tag;
    const isPart = tag !== "math" && style.display.endsWith("math");
    return tag === "html" || tag === "body" || isPart || isInline(style) ? "" : "div";
  }

  /** @param {CSSStyleDeclaration} style */
  function isInline({ display }) {
    return /^(inline|contents|ruby|math)/.test(display);
  }

  /** @param {string} tag @param {Record<string, string>} attributes @returns {Branch} */
  function branch(tag, attributes) {
    return { tag, attributes, children: [] };
  }

  /**
   * Children as they are rendered: through shadow roots, and into slots.
   * @param {Element} element
   * @returns {Node[]}
   */
  function flatChildren(element) {
    const root = element.localName.includes("-") ? shadowOf(/** @type {HTMLElement} */ (element)) : element.shadowRoot;
    if (root) return [...root.childNodes];
    const assigned = element.localName === "slot" ? /** @type {HTMLSlotElement} */ (element).assignedNodes() : [];
    return assigned.length > 0 ? assigned : [...element.childNodes];
  }

  /** @param {HTMLElement} element */
  function shadowOf(element) {
    return globalThis.chrome?.dom?.openOrClosedShadowRoot(element) ?? element.shadowRoot;
  }

  /** @param {Element} element @param {string} tag */
  function attributesOf(element, tag) {
    /** @type {Record<string, string>} */
    const attributes = {};
    for (const [name, limit] of Object.entries(MAX_ATTRIBUTE_CHARS)) {
      const value = name === "href" ? address(element, tag) : element.getAttribute(name);
      if (value && value.length <= limit) attributes[name] = value.toWellFormed();
    }
    return attributes;
  }

  /** @param {Element} element @param {string} tag */
  function address(element, tag) {
    const href = tag === "a" ? /** @type {HTMLAnchorElement} */ (element).href : "";
    return typeof href === "string" && /^(https?|file|mailto|tel):/.test(href) ? href : "";
  }

  /**
   * The wire form of a branch: neighbouring texts joined, empty branches left out.
   * @param {Branch} from
   * @param {boolean} pre
   * @returns {Wire}
   */
  function toWire(from, pre) {
    /** @type {Wire} */
    const wire = [from.tag, from.attributes];
    const preserved = pre || from.tag === "pre";
    for (const child of from.children) {
      if ("text" in child) appendText(wire, child.text, preserved);
      else appendBranch(wire, toWire(child, preserved));
    }
    return wire;
  }

  /** @param {Wire} wire @param {string} text @param {boolean} preserved */
  function appendText(wire, text, preserved) {
    const last = wire[wire.length - 1];
    if (typeof last === "string") {
      wire[wire.length - 1] = last + (!preserved && last.endsWith(" ") ? text.replace(/^ /, "") : text);
    } else if (text && (text !== " " || INLINE.has(wire.length === 2 ? wire[0] : /** @type {Wire} */ (last)[0]))) {
      wire.push(text);
    }
  }

  /** @param {Wire} wire @param {Wire} inner */
  function appendBranch(wire, inner) {
    if (inner.length === 2 && !KEPT_EMPTY.has(inner[0])) return;
    if (wire[wire.length - 1] === " " && !INLINE.has(inner[0])) wire.pop();
    wire.push(inner);
  }

  /** @param {Wire} wire @returns {number} characters of all texts */
  function nChars([, , ...children]) {
    return children.reduce(
      (/** @type {number} */ sum, child) =>
        sum + (typeof child === "string" ? child.trim().length : nChars(/** @type {Wire} */ (child))),
      0,
    );
  }

  /** Let the page run. Unlike a timer this is not slowed down in a tab in the background. */
  function pause() {
    return /** @type {any} */ (globalThis).scheduler.postTask(() => undefined);
  }

  /**
   * @param {number} maxChars
   * @param {boolean} [selection] read only what is selected; with nothing selected, nothing
   * @returns {Promise<string>} JSON text: the tree is deeper than what extension messages carry as objects
   */
  return async (maxChars, selection = false) => {
    const url = location.href;
    const range = selection ? selectedRange() : null;
    const walked = await new Walk(maxChars, range).run();
    const canonical = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel~=canonical][href]"));
    return JSON.stringify({
      v: 1,
      url,
      canonical_url: canonical?.href ?? "",
      title: document.title.toWellFormed(),
      language: document.documentElement.lang,
      is_selection: selection,
      ...walked,
    });
  };

  function selectedRange() {
    const selected = getSelection();
    if (selected?.rangeCount) return selected.getRangeAt(0).cloneRange();
    return document.createRange();
  }
})();
