// @ts-check
// Shows a PDF. The pages near the window are drawn, the others are empty paper of their size, so that a long file
// needs a few canvases. Which file is shown, and which parts of which text items are marked, Python says
// (tabwise/ui/events/pdf.py).
import { bytesOf, named } from "./fetch_file.js";
import { PdfFile, emptyPage, isPdf } from "./pdf_file.js";
import { Sheet } from "./pdf_sheet.js";
import { withTextFragment } from "./sw/passage_show.js";

const VENDOR = new URL("../vendor/pdfjs/", import.meta.url);
const CSS_PER_POINT = 96 / 72;
const REDRAW_MS = 150;

/** @typedef {import("./protocol").ItemSpan} ItemSpan */

class PdfView {
  #room;
  #send;
  /** @type {PdfFile | null} */
  #file = null;
  /** @type {Sheet[]} */
  #sheets = [];
  /** @type {Map<Element, Sheet>} */
  #byElement = new Map();
  #scale = CSS_PER_POINT;
  /** 0: pages fill the width, up to `#most` */
  #percent = 0;
  #most = 100;
  #page = 1;
  /** @type {ItemSpan[][]} */
  #marks = [];
  #current = 0;
  /** whether the current passage is still to be gone to, once its page is drawn */
  #isSeeking = false;
  #turn = 0;
  #trip = 0;
  #timer = 0;
  #near;

  /**
   * @param {HTMLElement} room that is scrolled
   * @param {(event: object) => void} send
   */
  constructor(room, send) {
    this.#room = room;
    this.#send = send;
    this.#near = new IntersectionObserver((entries) => this.#cameNear(entries), { root: room, rootMargin: "100% 0px" });
    room.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#file && this.#percent === 0 && this.#resize()).observe(room);
    matchMedia("(forced-colors: active)").addEventListener("change", () => this.#redraw());
  }

  /** @param {string} text JSON: url, max_bytes, most_percent, name, page_name with {number} */
  async open(text) {
    const { url, max_bytes, most_percent, name, page_name } = JSON.parse(text);
    this.close();
    const turn = this.#turn;
    document.title = name;
    this.#room.ariaLabel = name;
    [this.#percent, this.#most] = [0, most_percent];
    try {
      const file = await fetched(url, max_bytes);
      if (turn !== this.#turn) return file.close();
      this.#file = file;
      file.died.catch((error) => turn === this.#turn && this.#fail(error));
      const first = new Sheet(1, page_name.replace("{number}", "1"), undefined);
      await first.measure(file);
      if (turn !== this.#turn) return;
      this.#layOut(first, page_name);
      this.#send({ type: "pdf_opened", n_pages: file.document.numPages });
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    }
  }

  /** @param {string} text JSON: token, pages; those that cannot be read have no items */
  async items(text) {
    const { token, pages } = JSON.parse(text);
    const file = this.#file;
    const read = [];
    for (const number of pages) if (file) read.push(await file.readPage(number).catch(() => emptyPage(number)));
    if (file === this.#file) this.#send({ type: "pdf_items", token, pages: read });
  }

  /** @param {number} number */
  async go(number) {
    this.#isSeeking = false;
    await this.#turnTo(number);
  }

  /** @param {number} percent @param {number} most */
  zoom(percent, most) {
    [this.#percent, this.#most] = [percent, most];
    this.#resize();
  }

  /** @param {string} text JSON: marks, current, go */
  mark(text) {
    const { marks, current, go } = JSON.parse(text);
    [this.#marks, this.#current] = [marks, current];
    for (const sheet of this.#sheets) if (sheet.hasText) sheet.mark(marks, current);
    if (!go) return;
    this.#isSeeking = true;
    const sheet = this.#sheets[marks[current][0].page - 1];
    if (!this.#seek(sheet)) void this.#turnTo(sheet.number);
  }

  /** @param {string} url @param {string} quote @param {number} page */
  outside(url, quote, page) {
    void chrome.tabs.create({ url: withTextFragment(url, quote, page) });
  }

  /** Show nothing. */
  close() {
    this.#turn += 1;
    this.#file?.close();
    this.#file = null;
    for (const sheet of this.#sheets) sheet.clear();
    this.#near.disconnect();
    this.#sheets = [];
    this.#marks = [];
    this.#room.replaceChildren();
  }

  /** @param {unknown} error */
  #fail(error) {
    console.warn(error);
    this.close();
    this.#send({ type: "pdf_failed", name: /** @type {Error} */ (error)?.name ?? "" });
  }

  /** @param {Sheet} first @param {string} pageName */
  #layOut(first, pageName) {
    const n = this.#file?.document.numPages;
    this.#sheets = [first];
    for (let number = 2; number <= n; number += 1) {
      this.#sheets.push(new Sheet(number, pageName.replace("{number}", String(number)), first));
    }
    this.#byElement = new Map(this.#sheets.map((sheet) => [sheet.element, sheet]));
    this.#page = 1;
    this.#resize();
    this.#room.append(...this.#sheets.map(({ element }) => element));
    for (const { element } of this.#sheets) this.#near.observe(element);
    if (document.activeElement === document.body) this.#room.focus({ preventScroll: true });
  }

  /** Give pages the size that was chosen, and keep what stands at the top of the window there. */
  #resize() {
    const sheet = this.#sheets[this.#page - 1];
    if (!sheet) return;
    const { element } = sheet;
    const share = (this.#room.scrollTop - element.offsetTop) / (element.offsetHeight || 1);
    const room = this.#room.clientWidth - 2 * parseFloat(getComputedStyle(this.#room).paddingInlineStart);
    const whole = Math.min((100 * room) / (sheet.width * CSS_PER_POINT), this.#most);
    const percent = this.#percent || whole;
    this.#scale = (percent / 100) * CSS_PER_POINT;
    this.#room.style.setProperty("--total-scale-factor", String(this.#scale));
    this.#room.scrollTop = element.offsetTop + share * element.offsetHeight;
    this.#send({ type: "pdf_zoomed", percent: Math.round(percent) });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#redraw(), REDRAW_MS);
  }

  #redraw() {
    for (const sheet of this.#sheets) if (sheet.isNear) void this.#draw(sheet);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #cameNear(entries) {
    for (const { target, isIntersecting } of entries) {
      const sheet = this.#byElement.get(target);
      if (!sheet) continue;
      sheet.isNear = isIntersecting;
      if (isIntersecting) void this.#draw(sheet);
      else sheet.clear();
    }
  }

  /** @param {Sheet} sheet */
  async #draw(sheet) {
    if (!this.#file) return;
    try {
      await sheet.draw(this.#file, this.#scale);
    } catch (error) {
      // a damaged page stays empty paper
      if (/** @type {Error} */ (error).name !== "RenderingCancelledException") console.warn(error);
      return;
    }
    if (!sheet.hasText) return;
    sheet.mark(this.#marks, this.#current);
    this.#seek(sheet);
  }

  /** @param {number} number */
  async #turnTo(number) {
    const sheet = this.#sheets[number - 1];
    if (!sheet || !this.#file) return;
    const trip = ++this.#trip;
    await sheet.measure(this.#file).catch(console.warn);
    if (trip !== this.#trip) return; // something else was gone to meanwhile
    const gap = parseFloat(getComputedStyle(this.#room).rowGap);
    this.#room.scrollTo({ top: sheet.element.offsetTop - gap, behavior: "instant" });
  }

  /**
   * Go to the mark of the current passage, if it is wanted and on this page.
   * @param {Sheet} sheet
   * @returns {boolean}
   */
  #seek(sheet) {
    const mark = sheet.marked;
    if (!this.#isSeeking || !mark || this.#marks[this.#current]?.[0]?.page !== sheet.number) return false;
    this.#isSeeking = false;
    this.#trip += 1;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    mark.scrollIntoView({ block: "center", inline: "nearest", behavior: calm ? "instant" : "smooth" });
    return true;
  }

  #scrolled() {
    const middle = this.#room.scrollTop + this.#room.clientHeight / 3;
    let [low, high] = [0, this.#sheets.length - 1];
    while (low < high) {
      const at = (low + high + 1) >> 1;
      if (this.#sheets[at].element.offsetTop <= middle) low = at;
      else high = at - 1;
    }
    if (low + 1 === this.#page) return;
    this.#page = low + 1;
    this.#send({ type: "pdf_at", page: this.#page });
  }
}

globalThis.tabwisePdf = (/** @type {(event: object) => void} */ send) =>
  new PdfView(/** @type {HTMLElement} */ (document.getElementById("pdf")), send);

/**
 * Rejects with FileAccessOff, and the names of fetch_file.js and pdf_file.js.
 * @param {string} url
 * @param {number} maxBytes
 */
async function fetched(url, maxBytes) {
  if (url.startsWith("file:") && !(await chrome.extension.isAllowedFileSchemeAccess())) {
    throw named("FileAccessOff", url);
  }
  const bytes = await bytesOf(url, maxBytes);
  if (!isPdf(bytes)) throw named("FileUnreachable", "what was fetched is no PDF");
  const [fonts, wasm] = ["standard_fonts/", "wasm/"].map((folder) => new URL(folder, VENDOR).href);
  return PdfFile.open(bytes, { standardFontDataUrl: fonts, wasmUrl: wasm });
}
