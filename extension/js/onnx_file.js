// @ts-check
// The constants of an ONNX file, read where they lie in it: the runtime does not hand out those it has loaded.
//
// Format: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto in protocol buffers, which are fields of a
// number and a value each: https://protobuf.dev/programming-guides/encoding/. Constants must be raw data.

const MODEL = { graph: 7, metadata: 14 };
const GRAPH = { initializer: 5 };
const TENSOR = { dims: 1, name: 8, raw: 9 };
const ENTRY = { key: 1, value: 2 };
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 };

/** @typedef {{ shape: number[], data: Uint8Array }} Constant */

/**
 * @param {Uint8Array} file
 * @returns {{ constants: Map<string, Constant>, metadata: Map<string, string> }}
 */
export function readOnnx(file) {
  const constants = new Map();
  const metadata = new Map();
  for (const [field, value] of fields(file)) {
    if (field === MODEL.metadata) {
      const entry = new Map(fields(bytes(value)));
      metadata.set(text(entry.get(ENTRY.key)), text(entry.get(ENTRY.value)));
    }
    if (field !== MODEL.graph) continue;
    for (const [part, tensor] of fields(bytes(value))) if (part === GRAPH.initializer) add(constants, bytes(tensor));
  }
  return { constants, metadata };
}

/**
 * @param {Map<string, Constant>} constants
 * @param {Uint8Array} tensor
 */
function add(constants, tensor) {
  const all = [...fields(tensor)];
  const shape = all.filter(([field]) => field === TENSOR.dims).map(([, value]) => Number(value));
  const last = new Map(all);
  constants.set(text(last.get(TENSOR.name)), { shape, data: bytes(last.get(TENSOR.raw)) });
}

/**
 * @param {Uint8Array} message
 * @returns {Generator<[number, number | Uint8Array]>} fields and values; fixed ones, which nobody wants, as 0
 */
function* fields(message) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = message[at++];
      value += (byte & 127) * unit;
      if (!(byte & 128)) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    if (wire === WIRE.varint) yield [field, varint()];
    else if (wire === WIRE.bytes) {
      const size = varint();
      yield [field, message.subarray(at, (at += size))];
    } else {
      if (wire !== WIRE.fixed32 && wire !== WIRE.fixed64) throw new RangeError(`not an ONNX file: wire type ${wire}`);
      at += wire === WIRE.fixed32 ? 4 : 8;
      yield [field, 0];
    }
  }
}

const NOTHING = new Uint8Array(0);

/** @param {number | Uint8Array | undefined} value */
function bytes(value) {
  return value instanceof Uint8Array ? value : NOTHING;
}

const utf8 = new TextDecoder();

/** @param {number | Uint8Array | undefined} value */
function text(value) {
  return utf8.decode(bytes(value));
}
