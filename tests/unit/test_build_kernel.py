"""The SIMD kernel, run by Node, against sums worked out in Python."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from buildlib.kernel import kernel_file

pytestmark = pytest.mark.native

# Copies inputs into a memory of its own, calls the kernel and prints what it wrote.
SCRIPT = """
const fs = require("fs");
const [path, text] = process.argv.slice(1);
const { kind, matrix, query, n, d } = JSON.parse(text);
const memory = new WebAssembly.Memory({ initial: 64 });
const module = new WebAssembly.Module(fs.readFileSync(path));
const { exports } = new WebAssembly.Instance(module, { env: { memory } });
const types = kind === "i8" ? [Int8Array, Int16Array, Int32Array] : Array(3).fill(Float32Array);
const [m, q, out] = [1024, 2 << 20, 3 << 20];
new types[0](memory.buffer, m, n * d).set(matrix);
new types[1](memory.buffer, q, d).set(query);
new types[2](memory.buffer, out, n + 1).fill(-7);
exports[`matvec_${kind}`](m, q, out, n, d);
console.log(JSON.stringify([...new types[2](memory.buffer, out, n + 1)]));
"""


@pytest.fixture(scope="module")
def kernel() -> Path:
    return kernel_file()


def matvec(kernel: Path, kind: str, matrix: list[list[float]], query: list[float]) -> list[float]:
    flat = [value for row in matrix for value in row]
    job = {"kind": kind, "matrix": flat, "query": query, "n": len(matrix), "d": len(query)}
    command = ["node", "-e", SCRIPT, str(kernel), json.dumps(job)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *products, behind = json.loads(done.stdout)
    assert behind == -7, "wrote past the end"
    return products


@pytest.mark.parametrize(("n", "d"), [(0, 16), (1, 16), (3, 32), (5, 384)])
def test_int8_products_are_exact(kernel: Path, n: int, d: int) -> None:
    numbers = random.Random(n * d)
    matrix = [[numbers.randint(-128, 127) for _ in range(d)] for _ in range(n)]
    query = [numbers.randint(-127, 127) for _ in range(d)]
    assert matvec(kernel, "i8", matrix, query) == [
        sum(a * b for a, b in zip(row, query, strict=True)) for row in matrix
    ]


def test_int8_extremes_do_not_overflow(kernel: Path) -> None:
    assert matvec(kernel, "i8", [[-128] * 384, [127] * 384], [-127] * 384) == [6242304, -6193536]


@pytest.mark.parametrize(("n", "d"), [(0, 16), (1, 16), (3, 32), (5, 384)])
def test_float_products_agree_to_rounding(kernel: Path, n: int, d: int) -> None:
    numbers = random.Random(n + d)
    matrix = [[numbers.uniform(-1, 1) for _ in range(d)] for _ in range(n)]
    query = [numbers.uniform(-1, 1) for _ in range(d)]
    exact = [sum(a * b for a, b in zip(row, query, strict=True)) for row in matrix]
    assert matvec(kernel, "f32", matrix, query) == pytest.approx(exact, abs=1e-4)
