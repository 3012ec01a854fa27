// @ts-check
// The usual layout of exported causal language models: what is fed beside the cache, and which inputs hold it.

const CACHE = "past_key_values";

/**
 * The integers of a step: tokens behind the first `past` ones, logits wanted of the last `nKept`.
 * @param {Int32Array} tokens
 * @param {number} past
 * @param {number} nKept
 * @returns {Record<string, [BigInt64Array, number[]]>} numbers and shape, by the name of the input
 */
export function integersOf(tokens, past, nKept) {
  const n = tokens.length;
  return {
    input_ids: [BigInt64Array.from(tokens, BigInt), [1, n]],
    attention_mask: [new BigInt64Array(past + n).fill(1n), [1, past + n]],
    position_ids: [BigInt64Array.from(tokens, (_, i) => BigInt(past + i)), [1, n]],
    num_logits_to_keep: [BigInt64Array.of(BigInt(nKept)), []],
  };
}

/**
 * The inputs that hold the cache; each is (1, heads, length, width).
 * @param {any} session
 * @returns {{ name: string, type: string, shape: number[] }[]}
 */
export function cacheInputs(session) {
  return session.inputMetadata.filter((/** @type {{ name: string }} */ { name }) => name.startsWith(`${CACHE}.`));
}

/**
 * The output that an input of the cache is fed with at the next step.
 * @param {string} input
 */
export function presentOf(input) {
  return input.replace(CACHE, "present");
}
