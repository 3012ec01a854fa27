"""Larger models that can be downloaded, as data: which files of which repository of the hub."""

from dataclasses import dataclass

from tabwise.core.network.hub import HubModel


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry(HubModel):
    """A language model; `device` is what its file is made for."""

    device: str
    context_tokens: int


CATALOGUE = (
    CatalogueEntry(
        id="smollm2-360m",
        label="SmolLM2 360M",
        repository="HuggingFaceTB/SmolLM2-360M-Instruct",
        model="onnx/model_int8.onnx",
        device="wasm",
        licence="Apache-2.0",
        context_tokens=4096,
        about_bytes=365_000_000,
    ),
    CatalogueEntry(
        id="qwen3-0.6b",
        label="Qwen3 0.6B",
        repository="onnx-community/Qwen3-0.6B-ONNX",
        model="onnx/model_q4f16.onnx",
        device="webgpu",
        licence="Apache-2.0",
        context_tokens=4096,
        about_bytes=570_000_000,
    ),
    CatalogueEntry(
        id="qwen3-0.6b-cpu",
        label="Qwen3 0.6B (without a GPU)",
        repository="onnx-community/Qwen3-0.6B-ONNX",
        model="onnx/model_quantized.onnx",
        device="wasm",
        licence="Apache-2.0",
        context_tokens=4096,
        about_bytes=618_000_000,
    ),
    CatalogueEntry(
        id="qwen2.5-1.5b",
        label="Qwen2.5 1.5B",
        repository="onnx-community/Qwen2.5-1.5B-Instruct",
        model="onnx/model_q4f16.onnx",
        device="webgpu",
        licence="Apache-2.0",
        context_tokens=4096,
        about_bytes=1_220_000_000,
    ),
)
