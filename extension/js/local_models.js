// @ts-check
// Language models for Python: tokenizers by place, sessions by number in the model worker.
import { readModelFile } from "./model_files.js";

/** @typedef {{ encode(text: string): Int32Array, decode(tokens: Int32Array): string }} Tokenizer */

/** @type {Map<string, Tokenizer>} */
const tokenizers = new Map();

/**
 * @param {string} place
 * @param {string} name
 * @returns {Promise<string>} rejects with ModelMissing
 */
export async function textFile(place, name) {
  return new TextDecoder().decode(await readModelFile(place, name));
}

/**
 * @param {string} place
 * @returns {Promise<string>} the text of the tokenizer, which is then ready for `encode` and `decode`
 */
export async function openTokenizer(place) {
  const json = await readModelFile(place, "tokenizer.json");
  const tokenizer = await globalThis.tokenizers.Tokenizer.fromJSON(/** @type {ArrayBuffer} */ (json.buffer));
  tokenizers.set(place, tokenizer);
  return new TextDecoder().decode(json);
}

/**
 * @param {string} place
 * @param {string} text
 */
export function encode(place, text) {
  return tokenizerOf(place).encode(text);
}

/**
 * @param {string} place
 * @param {Int32Array} tokens
 */
export function decode(place, tokens) {
  return tokenizerOf(place).decode(tokens);
}

/** @param {string} place */
function tokenizerOf(place) {
  const tokenizer = tokenizers.get(place);
  if (!tokenizer) throw new Error(`the tokenizer of ${place} is not open`);
  return tokenizer;
}
