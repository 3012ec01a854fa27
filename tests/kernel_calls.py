"""Calls of WebAssembly kernels on arrays, made by Node."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

# Lays arrays out in a memory of its own, calls the kernel with addresses and numbers, prints the last array.
# An array of addresses names the arrays meant by their place in the list; sizes and slots are negative.
SCRIPT = """
const fs = require("fs");
const [path, text] = process.argv.slice(1);
const { name, arrays, call, shared } = JSON.parse(text);
const memory = new WebAssembly.Memory({ initial: 64, ...(shared ? { maximum: 64, shared } : {}) });
const module = new WebAssembly.Module(fs.readFileSync(path));
const { exports } = new WebAssembly.Instance(module, { env: { memory } });
const types = { int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array,
                int32: Int32Array, float32: Float32Array, float64: Float64Array, addresses: Int32Array };
let end = 1024;
const placed = arrays.map(({ dtype, values }) => {
  const array = new types[dtype](memory.buffer, end, values.length);
  end += Math.ceil(array.byteLength / 64 + 1) * 64;
  return array;
});
placed.forEach((array, i) => array.set(arrays[i].dtype === "addresses"
  ? arrays[i].values.map((value) => (value < 0 ? -value - 1 : placed[value].byteOffset))
  : arrays[i].values));
const numbers = call.map((one) => (typeof one === "number" ? one : placed[one.array].byteOffset));
const returned = exports[name](...numbers);
console.log(JSON.stringify({ last: [...placed.at(-1)], returned }));
"""


def run(kernel: Path, name: str, arrays: Sequence[np.ndarray | list[int]], call: Sequence[Any]) -> np.ndarray:
    """The last of `arrays` after the call; a string in `call` is the place of an array in the list."""
    return run_and_return(kernel, name, arrays, call)[0]


def run_and_return(
    kernel: Path,
    name: str,
    arrays: Sequence[np.ndarray | list[int]],
    call: Sequence[Any],
    *,
    shared: bool = False,
) -> tuple[np.ndarray, float | None]:
    """The same and what the function returns; `shared`: whether its memory may be shared among threads."""
    job = {
        "shared": shared,
        "name": name,
        "arrays": [
            {"dtype": "addresses", "values": array}
            if isinstance(array, list)
            else {"dtype": array.dtype.name, "values": array.reshape(-1).tolist()}
            for array in arrays
        ],
        "call": [{"array": int(one)} if isinstance(one, str) else one for one in call],
    }
    command = ["node", "-e", SCRIPT, str(kernel), json.dumps(job)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    return np.array(answer["last"]), answer.get("returned")
