// @ts-check
// A PDF opened with PDF.js, which parses in a worker of its own that ends with the file, and the text items of
// its pages in the wire form that Python reads (tabwise/core/page/pdf/capture.py).
import { named } from "./fetch_file.js";

const ROOT = new URL("../vendor/pdfjs/", import.meta.url);
const SIGN = /^[\s\0\ufeff]*%PDF-/;
const SIGN_WITHIN_BYTES = 1024;
const STEP_LIMIT_MS = 60_000;

/** @type {Promise<any> | undefined} loaded with the first PDF */
let library;

/** The library itself. */
export function pdfjs() {
  library ??= import("../vendor/pdfjs/pdf.min.mjs");
  return library;
}

/** @param {Uint8Array} bytes */
export function isPdf(bytes) {
  return SIGN.test(new TextDecoder().decode(bytes.subarray(0, SIGN_WITHIN_BYTES)));
}

export class PdfFile {
  #worker;
  #died;

  /**
   * @param {any} document
   * @param {Worker} worker
   * @param {Promise<never>} died
   */
  constructor(document, worker, died) {
    /** @type {any} the library's document */
    this.document = document;
    this.#worker = worker;
    this.#died = died;
  }

  /**
   * Rejects with PdfLocked, PdfDamaged.
   * @param {Uint8Array} data
   * @param {object} options of the library, beside those that every use has
   * @returns {Promise<PdfFile>}
   */
  static async open(data, options) {
    const { PDFWorker, getDocument } = await pdfjs();
    const worker = new Worker(new URL("pdf.worker.min.mjs", ROOT), { type: "module", name: "pdf" });
    const died = deathOf(worker);
    const task = getDocument({
      data,
      worker: new PDFWorker({ port: worker, verbosity: 0 }),
      cMapUrl: new URL("cmaps/", ROOT).href,
      isEvalSupported: false,
      useWorkerFetch: true,
      verbosity: 0,
      ...options,
    });
    try {
      return new PdfFile(await withinLimit(task.promise, died), worker, died);
    } catch (error) {
      worker.terminate();
      const { name = "", message = String(error) } = /** @type {any} */ (error) ?? {};
      throw named(name === "PasswordException" ? "PdfLocked" : "PdfDamaged", message);
    }
  }

  /** Rejects when the worker crashes. */
  get died() {
    return this.#died;
  }

  /**
   * Rejects with PdfDamaged when the worker crashes, or does not answer.
   * @template T
   * @param {Promise<T>} work
   * @returns {Promise<T>}
   */
  withinLimit(work) {
    return withinLimit(work, this.#died);
  }

  /**
   * One page in the wire form; one that is damaged has no items. Rejects as `withinLimit` does.
   * @param {number} number
   */
  readPage(number) {
    return this.withinLimit(itemsOf(this.document, number).catch(() => emptyPage(number)));
  }

  /** End the document and its worker. */
  close() {
    this.#worker.terminate();
  }
}

/**
 * @param {Worker} worker
 * @returns {Promise<never>}
 */
function deathOf(worker) {
  const { promise, reject } = /** @type {PromiseWithResolvers<never>} */ (Promise.withResolvers());
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    reject(named("PdfDamaged", event.message || "the PDF worker failed"));
  });
  promise.catch(() => undefined); // it may happen while no one waits
  return promise;
}

/**
 * @template T
 * @param {Promise<T>} work
 * @param {Promise<never>} died
 * @returns {Promise<T>}
 */
function withinLimit(work, died) {
  const { promise, reject } = Promise.withResolvers();
  const timer = setTimeout(() => reject(named("PdfDamaged", "the PDF worker does not answer")), STEP_LIMIT_MS);
  return Promise.race([work, died, promise]).finally(() => clearTimeout(timer));
}

/**
 * Whether an item draws anything; the others only say where lines end.
 * @param {{ str: string }} item
 */
export const isDrawn = ({ str }) => str !== "" && str !== undefined;

/** @param {number} number */
export const emptyPage = (number) => ({ number, width: 0, height: 0, items: [] });

/**
 * @param {any} document
 * @param {number} number
 */
async function itemsOf(document, number) {
  const page = await document.getPage(number);
  const { items, styles } = await page.getTextContent();
  const [left, bottom, right, top] = page.view;
  return {
    number,
    width: right - left,
    height: top - bottom,
    items: items.filter(isDrawn).map((/** @type {any} */ item) => asItem(item, styles, left, top)),
  };
}

/**
 * @param {{ str: string, transform: number[], width: number, fontName: string }} item
 * @param {Record<string, { fontFamily: string }>} styles
 * @param {number} left of the page
 * @param {number} top
 */
function asItem({ str, transform, width, fontName }, styles, left, top) {
  const [a, b, c, d, x, y] = transform;
  const angle = (-Math.atan2(b, a) * 180) / Math.PI;
  const font = `${fontName} ${styles[fontName]?.fontFamily ?? ""}`;
  return [str.toWellFormed(), ...[x - left, top - y, width, Math.hypot(c, d), angle].map(hundredths), font];
}

/** @param {number} value */
function hundredths(value) {
  return Math.round(value * 100) / 100;
}
