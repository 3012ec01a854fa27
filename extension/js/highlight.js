// @ts-check
// Lights a passage up on the live page with the CSS Custom Highlight API: no element is added or changed.
//
// The quote is looked for without white space, so line breaks, indentation and element borders do not matter;
// among several places the one whose neighbourhood agrees best with `before` and `after` is taken.
"use strict";

var tabwiseHighlight = (() => {
  const NAME = "tabwise-passage";
  const RULE = `::highlight(${NAME}) { background-color: #ffdf5d; color: #1a1a1a; }`;
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

  /** Add our rule for the highlight, once per document or shadow tree. @param {Range[]} ranges */
  function paint(ranges) {
    for (const root of new Set(ranges.map((range) => range.startContainer.getRootNode()))) {
      const scope = /** @type {Document | ShadowRoot} */ (root);
      if (scope.adoptedStyleSheets.some((sheet) => sheet.cssRules[0]?.cssText.includes(NAME))) continue;
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(RULE);
      scope.adoptedStyleSheets.push(sheet);
    }
    CSS.highlights.set(NAME, new Highlight(...ranges));
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

  /**
   * @param {string} quote
   * @param {string} before the text in front of it
   * @param {string} after the text behind it
   * @returns {boolean} whether it was found; what an earlier call lit up goes dark either way
   */
  return (quote, before, after) => {
    CSS.highlights.delete(NAME);
    const plain = new PlainText(document.body ?? document.documentElement);
    const wanted = squeeze(quote);
    const start = wanted ? bestPlace(plain.text, wanted, squeeze(before), squeeze(after)) : -1;
    if (start < 0) return false;
    const ranges = plain.ranges(start, start + wanted.length);
    paint(ranges);
    scrollTo(ranges[0]);
    return true;
  };
})();
