// @ts-check
// One page of a PDF: paper of its size, and while it is near the window what is drawn on it, its text, unseen, to be
// selected and read aloud, and the marks of passages.
import { isDrawn, pdfjs } from "./pdf_file.js";

const MAX_CANVAS_PIXELS = 1 << 24;

/** @typedef {import("./pdf_file.js").PdfFile} PdfFile */
/** @typedef {import("./protocol").ItemSpan} ItemSpan */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

export class Sheet {
  element = document.createElement("div");
  #marks = document.createElement("div");
  /** @type {HTMLElement[]} the elements of the drawn items */
  #items = [];
  /** @type {any} */
  #task = null;
  /** @type {any} the library's page, once it is known */
  #page = null;
  #turn = 0;
  isNear = false;
  hasText = false;
  width = 0; // in points
  height = 0;

  /** @param {number} number @param {string} name @param {Sheet | undefined} like a page of about this size */
  constructor(number, name, like) {
    this.number = number;
    this.element.className = "pdf-sheet";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", name);
    this.#marks.className = "pdf-marks";
    this.#marks.ariaHidden = "true";
    if (like) this.resize(like.width, like.height);
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    Object.assign(this, { width, height });
    this.element.style.setProperty("--width", String(width));
    this.element.style.setProperty("--height", String(height));
  }

  /** Take the size of the page itself. @param {PdfFile} file */
  async measure(file) {
    const page = await file.withinLimit(file.document.getPage(this.number));
    const { width, height } = page.getViewport({ scale: 1 });
    this.resize(width, height);
    this.#page = page;
    return page;
  }

  /**
   * Draw the page; gives up in silence when it is drawn anew, or cleared, meanwhile.
   * @param {PdfFile} file
   * @param {number} scale
   */
  async draw(file, scale) {
    this.#task?.cancel();
    const turn = ++this.#turn;
    const page = await this.measure(file);
    if (turn !== this.#turn) return;
    const canvas = await this.#paint(page, scale);
    if (turn !== this.#turn) return void (canvas.width = 0);
    const before = this.element.querySelector("canvas");
    this.element.prepend(canvas);
    before?.remove();
    if (!this.hasText) await this.#write(page, turn);
  }

  /** @param {any} page @param {number} scale */
  async #paint(page, scale) {
    const whole = page.getViewport({ scale: scale * devicePixelRatio });
    const shrunk = Math.min(1, Math.sqrt(MAX_CANVAS_PIXELS / (whole.width * whole.height)));
    const viewport = page.getViewport({ scale: scale * devicePixelRatio * shrunk });
    const canvas = document.createElement("canvas");
    canvas.ariaHidden = "true";
    canvas.width = Math.ceil(viewport.width);
    canvas.height = Math.ceil(viewport.height);
    const isForced = matchMedia("(forced-colors: active)").matches;
    const pageColors = isForced ? { background: "Canvas", foreground: "CanvasText" } : null;
    this.#task = page.render({ canvas, viewport, pageColors });
    await this.#task.promise;
    return canvas;
  }

  /** @param {any} page @param {number} turn */
  async #write(page, turn) {
    const { TextLayer } = await pdfjs();
    const text = document.createElement("div"); // a fresh one: an earlier call may still write into its own
    text.className = "pdf-text";
    const layer = new TextLayer({
      textContentSource: await page.getTextContent(),
      container: text,
      viewport: page.getViewport({ scale: 1 }),
    });
    await layer.render();
    if (turn !== this.#turn) return;
    this.element.append(text, this.#marks);
    this.hasText = true;
    const { textDivs, textContentItemsStr: strings } = /** @type {any} */ (layer);
    this.#items = textDivs.filter((/** @type {HTMLElement} */ _, /** @type {number} */ i) => isDrawn({ str: strings[i] }));
  }

  /** Become empty paper. */
  clear() {
    this.#turn += 1;
    this.#task?.cancel();
    const canvas = this.element.querySelector("canvas");
    if (canvas) canvas.width = canvas.height = 0; // frees its memory at once
    this.#items = [];
    this.hasText = false;
    this.element.replaceChildren();
    this.#page?.cleanup(); // what the library keeps to draw it again
  }

  /**
   * @param {ItemSpan[][]} marks of each passage, on any page
   * @param {number} current
   */
  mark(marks, current) {
    this.#marks.replaceChildren();
    const paper = this.element.getBoundingClientRect();
    marks.forEach((spans, number) => {
      const here = spans.filter(({ page }) => page === this.number);
      for (const line of linesOf(here.flatMap((span) => this.#boxesOf(span)))) {
        const mark = document.createElement("div");
        mark.className = number === current ? "pdf-mark current" : "pdf-mark";
        mark.style.left = `${(100 * (line.left - paper.left)) / paper.width}%`;
        mark.style.top = `${(100 * (line.top - paper.top)) / paper.height}%`;
        mark.style.width = `${(100 * (line.right - line.left)) / paper.width}%`;
        mark.style.height = `${(100 * (line.bottom - line.top)) / paper.height}%`;
        this.#marks.append(mark);
      }
    });
  }

  /** The first mark of the current passage. */
  get marked() {
    return this.#marks.querySelector(".current");
  }

  /** @param {ItemSpan} span */
  #boxesOf({ item, start, end }) {
    const node = this.#items[item]?.firstChild;
    if (!(node instanceof Text)) return [];
    const range = document.createRange();
    range.setStart(node, unitsOf(node.data, start));
    range.setEnd(node, unitsOf(node.data, end));
    return [...range.getClientRects()];
  }
}

/**
 * @param {string} text
 * @param {number} n code points
 * @returns {number} UTF-16 units
 */
function unitsOf(text, n) {
  return [...text].slice(0, n).join("").length;
}

/**
 * Boxes that stand beside each other, joined to one a line.
 * @param {DOMRect[]} boxes
 */
function linesOf(boxes) {
  /** @type {Box[]} */
  const lines = [];
  for (const { left, top, right, bottom } of boxes) {
    if (right - left < 0.5) continue;
    const last = lines.at(-1);
    const height = bottom - top;
    const isBeside = last && Math.abs(last.bottom - bottom) < height / 2 && left - last.right < 2 * height;
    if (!last || !isBeside || last.left - right > 2 * height) {
      lines.push({ left, top, right, bottom });
      continue;
    }
    last.left = Math.min(last.left, left);
    last.right = Math.max(last.right, right);
    last.top = Math.min(last.top, top);
    last.bottom = Math.max(last.bottom, bottom);
  }
  return lines;
}
