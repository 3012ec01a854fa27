"""The arithmetic of one token in WebAssembly, run by Node, against numpy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from buildlib.kernel import kernel_file
from kernel_calls import run_and_return

pytestmark = pytest.mark.native

RNG = np.random.default_rng(20)


@pytest.fixture(scope="module")
def kernel() -> Path:
    return kernel_file("llama.wasm")


def floats(*shape: int, scale: float = 1.0) -> np.ndarray:
    return (RNG.standard_normal(shape) * scale).astype(np.float32)


def empty(n: int) -> np.ndarray:
    """Room for n numbers and one more, to see that nothing is written behind them."""
    return np.full(n + 1, -7, np.float32)


def called(kernel: Path, name: str, arrays: list[np.ndarray], *call: Any) -> np.ndarray:
    last, _ = run_and_return(kernel, name, arrays, call, shared=True)
    assert last[-1] == -7, "wrote past the end"
    return last[:-1]


@pytest.mark.parametrize(("n_outputs", "n_inputs"), [(1, 16), (5, 64), (20, 576)])
def test_products_are_exact_sums_times_scales(kernel: Path, n_outputs: int, n_inputs: int) -> None:
    codes = RNG.integers(-127, 128, (n_outputs, n_inputs)).astype(np.int8)
    x = RNG.integers(-255, 256, n_inputs).astype(np.int16)
    scales, factor = RNG.random(n_outputs, np.float32), np.float32(0.37)
    sums = (codes.astype(np.int32) @ x.astype(np.int32)).astype(np.float32)
    arrays = [x, codes, scales, empty(n_outputs)]
    found = called(kernel, "multiply", arrays, "0", "1", "2", float(factor), "3", n_outputs, n_inputs)
    assert found.astype(np.float32).tolist() == (sums * (scales * factor)).tolist()


def test_largest_products_do_not_overflow(kernel: Path) -> None:
    codes, x = np.full((1, 1536), -127, np.int8), np.full(1536, 255, np.int16)
    arrays = [x, codes, np.ones(1, np.float32), empty(1)]
    assert called(kernel, "multiply", arrays, "0", "1", "2", 1.0, "3", 1, 1536) == [-127 * 255 * 1536]


@pytest.mark.parametrize("shape", [(4, 16), (16, 64), (64, 96)])
def test_a_matrix_is_turned(kernel: Path, shape: tuple[int, int]) -> None:
    matrix = RNG.integers(-128, 128, shape).astype(np.int8)
    room = np.full(matrix.size + 1, -7, np.int8)
    found = called(kernel, "transpose", [matrix, room], "0", "1", *shape)
    assert found.reshape(shape[::-1]).tolist() == matrix.T.tolist()


@pytest.mark.parametrize("shift", [-3.0, 0.0, 3.0])
def test_quantized_numbers_are_those_of_the_operator(kernel: Path, shift: float) -> None:
    """DynamicQuantizeLinear of https://onnx.ai/onnx/operators, its zero point taken off."""
    x = floats(64) + np.float32(shift)
    low, high = min(x.min(), np.float32(0)), max(x.max(), np.float32(0))
    scale = np.float32((high - low) / np.float32(255))
    zero = np.rint(-low / scale)
    codes = np.clip(np.rint(x / scale) + zero, 0, 255) - zero
    room = np.full(65, -7, np.int16)
    found, returned = run_and_return(kernel, "quantize", [x, room], ["0", "1", 64], shared=True)
    assert (found.tolist(), np.float32(returned)) == ([*codes, -7], scale)


def test_nothing_is_quantized_to_nothing(kernel: Path) -> None:
    arrays = [np.zeros(16, np.float32), np.full(17, -7, np.int16)]
    found, returned = run_and_return(kernel, "quantize", arrays, ["0", "1", 16], shared=True)
    assert (found.tolist(), returned) == ([0] * 16 + [-7], 1)


def test_a_row_of_the_table_is_scaled(kernel: Path) -> None:
    codes = RNG.integers(-127, 128, 32).astype(np.int8)
    found = called(kernel, "dequantize", [codes, empty(32)], "0", 0.5, "1", 32)
    assert found.tolist() == (codes * 0.5).tolist()


def test_a_norm_divides_by_the_root_of_the_mean_square(kernel: Path) -> None:
    x, weights = floats(48, scale=4), floats(48)
    found = called(kernel, "normalize", [x, weights, empty(48)], "0", "1", 1e-5, "2", 48)
    expected = weights * x / np.sqrt(np.mean(x.astype(np.float64) ** 2) + 1e-5)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_halves_of_heads_are_rotated(kernel: Path) -> None:
    heads, angles = floats(3, 2, 16), floats(16)
    cosines, sines = np.cos(angles), np.sin(angles)
    first, second = heads[:, 0], heads[:, 1]
    expected = np.stack([first * cosines - second * sines, first * sines + second * cosines], axis=1)
    arrays = [cosines, sines, np.append(heads.reshape(-1), np.float32(-7))]
    found = called(kernel, "rotate", arrays, "2", "0", "1", 3, 32)
    np.testing.assert_allclose(found, expected.reshape(-1), atol=1e-6)


@pytest.mark.parametrize("n", [1, 4, 7, 90])
def test_attention_is_the_mean_of_values_by_the_softmax_of_scores(kernel: Path, n: int) -> None:
    query, keys, values = floats(32, scale=3), floats(n, 32), floats(n, 32)
    scores = keys.astype(np.float64) @ query * 0.25
    weights = np.exp(scores - scores.max())
    expected = weights / weights.sum() @ values
    arrays = [query, keys, values, np.zeros(n + 4, np.float32), empty(32)]
    found = called(kernel, "attend", arrays, "0", "1", "2", 0.25, "3", "4", n, 32)
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_a_gate_opens_smoothly_and_never_overflows(kernel: Path) -> None:
    gate, up = floats(32, scale=5), floats(32)
    gate[:4] = [-1e4, -90, 90, 1e4]
    expected = up * gate / (1 + np.exp(np.minimum(-gate.astype(np.float64), 700)))
    arrays = [up, np.append(gate, np.float32(-7))]
    found = called(kernel, "gate", arrays, "1", "0", 32)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-30)


def test_vectors_are_added_and_bytes_copied(kernel: Path) -> None:
    x, y = floats(16), floats(16)
    found = called(kernel, "add", [y, np.append(x, np.float32(-7))], "1", "0", 16)
    assert found.astype(np.float32).tolist() == (x + y).tolist()
    copied = called(kernel, "copy", [x, empty(16)], "1", "0", 64)
    assert copied.astype(np.float32).tolist() == x.tolist()
