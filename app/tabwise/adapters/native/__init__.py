"""On CPython: onnxruntime, the Rust tokenizers, files."""
