// @ts-check
// What a person can see: decided from computed style and layout alone, top down, without touching the page.
//
// An element is entered with what its ancestors left it (`Surroundings`); a text is judged with its rectangle.
// Text that its own style cannot settle, because something else may lie in front of it or behind it, is
// settled at the end, when every layer is known. Positions are page coordinates of the top document.
"use strict";

/**
 * @typedef {{ r: number, g: number, b: number, a: number }} Color
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Box
 * @typedef {object} Surroundings
 * @property {Color | null} background what lies behind, null when it is a picture
 * @property {number} opacity of all ancestors together
 * @property {boolean} fixed inside a box that stays in the window while the page scrolls
 * @property {boolean} scrolled inside a scrolled box, where a position outside the page says nothing
 * @property {boolean} folded inside a closed <details>, which has no layout
 * @property {Box} bounds what scrolling can bring into view
 * @property {Box} clip what the boxes around leave of the page
 * @property {Box} placedClip the same for absolutely placed elements, which only positioned boxes clip
 * @property {{ x: number, y: number }} origin of the frame's document on the page
 * @typedef {{ element: Element, box: Box, color: Color, picture: boolean, covers: boolean }} Layer
 * @typedef {{ node: Text, box: Box, color: Color, faint: boolean, behind: Color | null, pieces: { text: string }[] }} Shown
 */

var tabwiseVisibility = (() => {
  const MIN_FONT_PX = 4;
  const MIN_BOX_PX = 2;
  const MIN_ALPHA = 0.1;
  const MIN_CONTRAST = 1.2;
  const MAX_COVERS = 200;
  const FRAMES = "iframe, frame";
  const MEDIA = "img, video, canvas, svg, iframe, object, embed";
  const MIN_LINE_PX = 5;
  const MIN_FOLD_PX = 48;
  const EVERYWHERE = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  const CLEAR = { r: 0, g: 0, b: 0, a: 0 };

  class Visibility {
    /** @type {Layer[]} */
    #layers = [];
    /** @type {Shown[]} */
    #shown = [];
    /** @type {Map<string, Color>} */
    #colors = new Map();
    /** @type {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null} */
    #canvas = null;
    #range = document.createRange();

    /** @returns {Surroundings} what the root element of the page starts with */
    outermost() {
      const { colorScheme } = getComputedStyle(document.documentElement);
      const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches;
      const dark = colorScheme.includes("dark") && (prefersDark || !colorScheme.includes("light"));
      const background = dark ? { r: 18, g: 18, b: 18, a: 1 } : { r: 255, g: 255, b: 255, a: 1 };
      const state = { background, opacity: 1, fixed: false, scrolled: false, folded: false };
      const clips = { clip: EVERYWHERE, placedClip: EVERYWHERE };
      return { ...state, ...clips, bounds: reachable(document), origin: { x: 0, y: 0 } };
    }

    /**
     * What the inside of a frame starts with.
     * @param {Surroundings} around of the frame element
     * @param {Element} frame
     * @param {Document} inner
     * @returns {Surroundings}
     */
    insideFrame(around, frame, inner) {
      const box = this.#box(frame.getBoundingClientRect(), frame.ownerDocument, around);
      const origin = { x: box.left, y: box.top };
      const clip = intersection(around.clip, box);
      return { ...around, fixed: false, scrolled: false, bounds: reachable(inner), origin, clip, placedClip: clip };
    }

    /**
     * @param {Element} element
     * @param {CSSStyleDeclaration} style
     * @param {Surroundings} around
     * @returns {Surroundings | null} what its children start with, null when none of them can be seen
     */
    enter(element, style, around) {
      if (style.display === "none") return null;
      if (style.display === "contents") return around;
      const opacity = around.opacity * Number(style.opacity);
      if (opacity < MIN_ALPHA || /opacity\(0(\.0\d*)?%?\)/.test(style.filter)) return null;
      const inline = style.display === "inline" && !element.matches(FRAMES);
      if (!inline && style.contentVisibility === "hidden") return null;
      const isRoot = element === element.ownerDocument.documentElement || element === element.ownerDocument.body;
      if (!inline && !isRoot && !around.folded && clippedAway(element, style)) return null;
      const fixed = around.fixed || style.position === "fixed";
      const scrolls = !isRoot && style.overflowX !== "visible" && (element.scrollLeft !== 0 || element.scrollTop !== 0);
      const background = this.#paint(element, style, { ...around, fixed, opacity });
      const clips = inline || isRoot || around.folded ? {} : this.#clips(element, style, around);
      return { ...around, ...clips, background, opacity, fixed, scrolled: around.scrolled || scrolls };
    }

    /**
     * What an element leaves to see of its children. Only boxes that hide what overflows, and that a person cannot
     * scroll, take something away.
     * @param {Element} element
     * @param {CSSStyleDeclaration} style
     * @param {Surroundings} around
     */
    #clips(element, style, around) {
      const { position } = style;
      if (position === "fixed") return { clip: EVERYWHERE, placedClip: EVERYWHERE };
      let clip = position === "absolute" ? around.placedClip : around.clip;
      if (style.overflowX !== "visible" && style.overflowY !== "visible") {
        clip = intersection(clip, this.#box(element.getBoundingClientRect(), element.ownerDocument, around));
        const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
        if (scrolls && clip.left < clip.right && clip.top < clip.bottom) clip = EVERYWHERE;
      }
      const holdsPlaced = position !== "static" || style.transform !== "none";
      return { clip, placedClip: holdsPlaced ? clip : around.placedClip };
    }

    /**
     * Whether text that a style sheet generates can be seen; its box cannot be measured.
     * @param {CSSStyleDeclaration} style of the pseudo-element
     * @param {Surroundings} around
     */
    showsGenerated(style, around) {
      if (style.display === "none" || style.visibility !== "visible" || parseFloat(style.fontSize) < MIN_FONT_PX)
        return false;
      const opacity = around.opacity * Number(style.opacity);
      const color = this.#color(style.webkitTextFillColor);
      if (color.a * opacity < MIN_ALPHA) return false;
      if (style.position === "absolute" || style.position === "fixed" || parseFloat(style.textIndent) < 0) return false;
      if (style.overflowX !== "visible" && (parseFloat(style.width) < MIN_BOX_PX || parseFloat(style.height) < MIN_BOX_PX))
        return false;
      return contrast(color, over(this.#color(style.backgroundColor), around.background)) >= MIN_CONTRAST;
    }

    /**
     * @param {Text} node
     * @param {CSSStyleDeclaration} style of its parent
     * @param {Surroundings} around
     * @param {{ text: string }[]} pieces where the text goes, emptied later if it turns out to be unseen
     */
    shows(node, style, around, pieces) {
      if (style.visibility !== "visible" || parseFloat(style.fontSize) < MIN_FONT_PX) return false;
      const color = this.#color(style.webkitTextFillColor);
      if (color.a * around.opacity < MIN_ALPHA && style.backgroundClip !== "text") return false;
      if (around.folded) return true;
      this.#range.selectNodeContents(node);
      const rect = this.#range.getBoundingClientRect();
      if (rect.width < 1 || rect.height < MIN_BOX_PX) return false;
      const box = this.#box(rect, node.ownerDocument, around);
      if (!around.scrolled && outOfReach(rect, box, node.ownerDocument, around)) return false;
      if (isClipped(box, around.clip)) return false;
      const faint = contrast(color, around.background) < MIN_CONTRAST && !hasOwnContour(style);
      this.#shown.push({ node, box, color, faint, behind: around.background, pieces });
      return true;
    }

    /** Empty the texts that lie under something opaque, or cannot be told from what is behind them; one a step. */
    *settle() {
      const covers = this.#layers.filter((layer) => layer.covers).slice(0, MAX_COVERS);
      for (const shown of this.#shown) {
        const covered = covers.some((cover) => contains(cover.box, shown.box) && paintsOver(cover.element, shown.node));
        if (covered || (shown.faint && !this.#standsOut(shown))) for (const piece of shown.pieces) piece.text = "";
        yield;
      }
    }

    /**
     * Whether something other than its ancestors' backgrounds lies behind a faint text and sets it off.
     * @param {Shown} shown
     */
    #standsOut({ node, box, color, behind }) {
      const backdrops = this.#layers.filter((layer) => overlaps(layer.box, box) && !layer.element.contains(node));
      if (backdrops.some((layer) => layer.picture || contrast(color, over(layer.color, behind)) >= MIN_CONTRAST))
        return true;
      for (let element = node.parentElement; element; element = element.parentElement) {
        for (const pseudo of ["::before", "::after"]) {
          const style = getComputedStyle(element, pseudo);
          if (style.content === "none" || style.position === "static") continue;
          const painted = over(this.#color(style.backgroundColor), behind);
          if (style.backgroundImage !== "none" || contrast(color, painted) >= MIN_CONTRAST) return true;
        }
      }
      return false;
    }

    /**
     * Note what an element paints, and return what is then behind its children.
     * @param {Element} element
     * @param {CSSStyleDeclaration} style
     * @param {Surroundings} around
     * @returns {Color | null}
     */
    #paint(element, style, around) {
      const flat = flatGradient(style.backgroundImage);
      const picture = (style.backgroundImage !== "none" && !flat) || element.matches(MEDIA);
      const color = this.#color(flat ?? style.backgroundColor);
      if (!picture && color.a === 0) return around.background;
      if ((picture || style.position !== "static") && !around.folded) {
        const box = this.#box(element.getBoundingClientRect(), element.ownerDocument, around);
        const covers =
          style.position === "absolute" &&
          !around.fixed &&
          color.a * around.opacity > 0.99 &&
          style.visibility === "visible";
        this.#layers.push({ element, box, color, picture, covers });
      }
      return picture ? null : over(color, around.background);
    }

    /**
     * @param {DOMRect} rect in the window of `owner`
     * @param {Document} owner
     * @param {Surroundings} around
     * @returns {Box}
     */
    #box(rect, owner, { origin }) {
      const view = /** @type {Window} */ (owner.defaultView);
      const x = origin.x + view.scrollX;
      const y = origin.y + view.scrollY;
      return { left: rect.left + x, top: rect.top + y, right: rect.right + x, bottom: rect.bottom + y };
    }

    /**
     * @param {string} text a computed color
     * @returns {Color}
     */
    #color(text) {
      let color = this.#colors.get(text);
      if (!color) {
        color = this.#parseColor(text);
        this.#colors.set(text, color);
      }
      return color;
    }

    /** @param {string} text */
    #parseColor(text) {
      const plain = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
      if (plain) return { r: +plain[1], g: +plain[2], b: +plain[3], a: plain[4] === undefined ? 1 : +plain[4] };
      // Other color spaces: let the browser convert them.
      this.#canvas ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      if (!this.#canvas) return CLEAR;
      this.#canvas.clearRect(0, 0, 1, 1);
      this.#canvas.fillStyle = text;
      this.#canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = this.#canvas.getImageData(0, 0, 1, 1).data;
      return { r, g, b, a: a / 255 };
    }
  }

  /**
   * What scrolling the document can bring into view; to the left in a right-to-left document.
   * @param {Document} owner
   * @returns {Box}
   */
  function reachable(owner) {
    const root = owner.documentElement;
    const rightToLeft = getComputedStyle(root).direction === "rtl";
    const clipped = [root, owner.body].some((element) => element && getComputedStyle(element).overflowX === "hidden");
    const width = clipped ? root.clientWidth : root.scrollWidth;
    return {
      left: rightToLeft ? root.clientWidth - width : 0,
      top: 0,
      right: rightToLeft ? root.clientWidth : width,
      bottom: Infinity,
    };
  }

  /**
   * @param {DOMRect} rect in the window
   * @param {Box} box on the page
   * @param {Document} owner
   * @param {Surroundings} around
   */
  function outOfReach(rect, box, owner, { fixed, bounds, origin }) {
    const view = /** @type {Window} */ (owner.defaultView);
    if (fixed)
      return rect.right <= 0 || rect.bottom <= 0 || rect.left >= view.innerWidth || rect.top >= view.innerHeight;
    return (
      box.right - origin.x <= bounds.left || box.bottom - origin.y <= bounds.top || box.left - origin.x >= bounds.right
    );
  }

  /**
   * Whether nothing of a text can be seen through the boxes around. What lies below the edge of a box of some height
   * is a fold that one opens to read on ("show more"); it is read.
   * @param {Box} box
   * @param {Box} clip
   */
  function isClipped(box, clip) {
    const { left, top, right, bottom } = intersection(box, clip);
    if (clip.right - clip.left < MIN_BOX_PX || right - left < 1 || box.bottom <= clip.top) return true;
    return bottom - top < MIN_LINE_PX && clip.bottom - clip.top < MIN_FOLD_PX;
  }

  /** @param {Box} a @param {Box} b */
  function intersection(a, b) {
    return {
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    };
  }

  /**
   * Whether a box is clipped to (nearly) nothing.
   * @param {Element} element
   * @param {CSSStyleDeclaration} style
   */
  function clippedAway(element, style) {
    const clips = style.overflowX !== "visible" || style.overflowY !== "visible" || element.matches(FRAMES);
    if (!clips && style.clip === "auto" && style.clipPath === "none") return false;
    const { width, height } = element.getBoundingClientRect();
    if (clips && (width < MIN_BOX_PX || height < MIN_BOX_PX)) return true;
    const [top, right, bottom, left] = numbers(style.clip);
    if (left !== undefined && (right - left < MIN_BOX_PX || bottom - top < MIN_BOX_PX)) return true;
    return clipPathIsEmpty(style.clipPath, width, height);
  }

  /**
   * @param {string} path computed clip-path
   * @param {number} width
   * @param {number} height
   */
  function clipPathIsEmpty(path, width, height) {
    if (/^(circle|ellipse)\(0(px|%)?[ )]/.test(path)) return true;
    const points = /^polygon\((.*)\)$/
      .exec(path)?.[1]
      .split(",")
      .map((point) => point.trim().split(/\s+/));
    if (points) return [0, 1].some((axis) => points.every((point) => point[axis] === points[0][axis]));
    const sides = /^inset\(([^r]*)/.exec(path)?.[1].trim().split(/\s+/);
    if (!sides) return false;
    const [top, right = top, bottom = top, left = right] = sides;
    const px = (/** @type {string} */ side, /** @type {number} */ whole) =>
      parseFloat(side) * (side.endsWith("%") ? whole / 100 : 1);
    return (
      width - px(left, width) - px(right, width) < MIN_BOX_PX ||
      height - px(top, height) - px(bottom, height) < MIN_BOX_PX
    );
  }

  /**
   * @param {string} image computed background-image
   * @returns {string | undefined} the color of gradients that have but one
   */
  function flatGradient(image) {
    const colors = new Set(image.match(/rgba?\([^)]*\)/g));
    return colors.size === 1 && !image.includes("url(") ? [...colors][0] : undefined;
  }

  /**
   * Whether something other than its color can set a text off.
   * @param {CSSStyleDeclaration} style
   */
  function hasOwnContour(style) {
    const outlined = parseFloat(style.webkitTextStrokeWidth) > 0;
    return (
      outlined || style.textShadow !== "none" || style.mixBlendMode !== "normal" || style.backgroundClip === "text"
    );
  }

  /** @param {string} text */
  function numbers(text) {
    return (text.match(/-?[\d.]+(?=px)/g) ?? []).map(Number);
  }

  /**
   * Whether an absolutely placed element is painted above a text: by the z-index of the outermost positioned
   * boxes that part the two, then by document order. An approximation of CSS 2.2 appendix E.
   * @param {Element} element
   * @param {Text} text
   */
  function paintsOver(element, text) {
    if (element.contains(text)) return false;
    const cover = layerBelowCommon(element, text);
    const own = layerBelowCommon(/** @type {Element} */ (text.parentElement), element);
    if (cover.z !== own.z) return cover.z > own.z;
    return !own.positioned || !!(element.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING);
  }

  /**
   * @param {Element} start
   * @param {Node} other
   */
  function layerBelowCommon(start, other) {
    let layer = { positioned: false, z: 0 };
    for (
      let element = /** @type {Element | null} */ (start);
      element && !element.contains(other);
      element = element.parentElement
    ) {
      const style = getComputedStyle(element);
      if (style.position === "static" && style.transform === "none" && style.opacity === "1") continue;
      layer = { positioned: true, z: parseInt(style.zIndex, 10) || 0 };
    }
    return layer;
  }

  /** @param {Box} outer @param {Box} inner */
  function contains(outer, inner) {
    return (
      outer.left <= inner.left + 1 &&
      outer.right >= inner.right - 1 &&
      outer.top <= inner.top + 1 &&
      outer.bottom >= inner.bottom - 1
    );
  }

  /** @param {Box} a @param {Box} b */
  function overlaps(a, b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  }

  /**
   * @param {Color} top
   * @param {Color | null} below
   * @returns {Color | null} null when what is below shows through and is not known
   */
  function over(top, below) {
    if (top.a > 0.99) return top;
    if (!below) return null;
    const mix = (/** @type {number} */ a, /** @type {number} */ b) => a * top.a + b * (1 - top.a);
    return { r: mix(top.r, below.r), g: mix(top.g, below.g), b: mix(top.b, below.b), a: 1 };
  }

  /**
   * Contrast ratio of WCAG 2.2, 1 to 21; Infinity against what is not known.
   * @param {Color} color
   * @param {Color | null} background
   */
  function contrast(color, background) {
    if (!background) return Infinity;
    const [darker, lighter] = [luminance(over(color, background) ?? color), luminance(background)].sort(
      (a, b) => a - b,
    );
    return (lighter + 0.05) / (darker + 0.05);
  }

  /** @param {Color} color */
  function luminance({ r, g, b }) {
    const linear = (/** @type {number} */ c) =>
      c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  }

  return Visibility;
})();
