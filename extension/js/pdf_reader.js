// @ts-check
// Fetches a file for Python, and reads it when it is a PDF: text items with their places, page by page.
import { bytesOf, named } from "./fetch_file.js";
import { PdfFile, isPdf } from "./pdf_file.js";

export class PdfReader {
  /** @type {PdfFile | null} */
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
    this.#open = await PdfFile.open(bytes, { useSystemFonts: false, disableFontFace: true });
    const { document } = this.#open;
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
   * @returns {Promise<string>} JSON: the pages in the wire form of tabwise/core/page/pdf/capture.py
   */
  async pages(first, last) {
    if (!this.#open) throw named("PdfDamaged", "no PDF is open");
    const pages = [];
    for (let number = first; number <= last; number += 1) {
      pages.push(await this.#open.readPage(number));
    }
    return JSON.stringify(pages);
  }

  /** End the document and its worker. */
  close() {
    this.#bytes = new Uint8Array();
    this.#open?.close();
    this.#open = null;
  }
}
