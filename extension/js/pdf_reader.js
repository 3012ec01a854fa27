// @ts-check
// Fetches a file for Python, and reads it when it is a PDF: text items with their places, page by page. PDF.js
// parses in a worker of its own, which ends with the document.
import { bytesOf, named } from "./fetch_file.js";

const ROOT = new URL("../vendor/pdfjs/", import.meta.url);
const SIGN = /^[\s\0\ufeff]*%PDF-/;
const SIGN_WITHIN_BYTES = 1024;
const STEP_LIMIT_MS = 60_000;

export class PdfReader {
  /** @type {Promise<any> | null} the library, loaded with the first PDF */
  #library = null;
  /** @type {{ document: any, worker: Worker, died: Promise<never> } | null} */
  #open = null;
  /** @type {Uint8Array} what was fetched last, unless it is a PDF */
  #bytes = new Uint8Array();

  /**
   * Fetch a file; one that is a PDF stays open until the next one. Rejects with the names of fetch_file.js,
   * PdfLocked, PdfDamaged.
   * @param {string} url
   * @param {number} maxBytes
   * @returns {Promise<string>} JSON: is_pdf, and of a PDF n_pages, title, language
   */
  async open(url, maxBytes) {
    this.close();
    const bytes = await bytesOf(url, maxBytes);
    if (!isPdf(bytes)) {
      this.#bytes = bytes;
      return JSON.stringify({ is_pdf: false });
    }
    this.#library ??= import("../vendor/pdfjs/pdf.min.mjs");
    const document = await this.#parse(await this.#library, bytes);
    const { info } = await document.getMetadata();
    const { Title: title = "", Language: language = "" } = info ?? {};
    return JSON.stringify({
      is_pdf: true,
      n_pages: document.numPages,
      title: String(title ?? ""),
      language: String(language ?? ""),
    });
  }

  /**
   * The bytes of the file opened last, when it is no PDF.
   * @returns {Uint8Array}
   */
  bytes() {
    return this.#bytes;
  }

  /**
   * @param {number} first page number, from 1
   * @param {number} last
   * @returns {Promise<string>} JSON: the pages in the wire form of tabwise/core/pdf/capture.py
   */
  async pages(first, last) {
    if (!this.#open) throw named("PdfDamaged", "no PDF is open");
    const { document, died } = this.#open;
    const pages = [];
    for (let number = first; number <= last; number += 1) {
      pages.push(await withinLimit(readPage(document, number), died));
    }
    return JSON.stringify(pages);
  }

  /** End the document and its worker. */
  close() {
    this.#bytes = new Uint8Array();
    this.#open?.worker.terminate();
    this.#open = null;
  }

  /**
   * @param {any} library
   * @param {Uint8Array} data
   * @returns {Promise<any>}
   */
  async #parse(library, data) {
    const worker = new Worker(new URL("pdf.worker.min.mjs", ROOT), { type: "module", name: "pdf" });
    const port = new library.PDFWorker({ port: worker, verbosity: 0 });
    const died = deathOf(worker);
    const task = library.getDocument({
      data,
      worker: port,
      cMapUrl: new URL("cmaps/", ROOT).href,
      isEvalSupported: false,
      useWorkerFetch: true,
      useSystemFonts: false,
      disableFontFace: true,
      verbosity: 0,
    });
    try {
      const document = await withinLimit(task.promise, died);
      this.#open = { document, worker, died };
      return document;
    } catch (error) {
      worker.terminate();
      const { name = "", message = String(error) } = /** @type {any} */ (error) ?? {};
      throw named(name === "PasswordException" ? "PdfLocked" : "PdfDamaged", message);
    }
  }
}

/**
 * Rejects when the worker crashes.
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

/** @param {Uint8Array} bytes */
function isPdf(bytes) {
  return SIGN.test(new TextDecoder().decode(bytes.subarray(0, SIGN_WITHIN_BYTES)));
}

/**
 * One page; one that is damaged has no items.
 * @param {any} document
 * @param {number} number
 */
async function readPage(document, number) {
  try {
    const page = await document.getPage(number);
    const { items, styles } = await page.getTextContent();
    const [left, bottom, right, top] = page.view;
    page.cleanup();
    const drawn = items.filter((/** @type {any} */ item) => item.str);
    return {
      number,
      width: right - left,
      height: top - bottom,
      items: drawn.map((/** @type {any} */ item) => asItem(item, styles, left, top)),
    };
  } catch {
    return { number, width: 0, height: 0, items: [] };
  }
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
