"""A tokenizer of one token a byte and three control tokens, as `tokenizers` reads it."""

from typing import Any

N_LETTERS = 256
CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
END = N_LETTERS + 2


def tokenizer_json() -> dict[str, Any]:
    """One token a byte, and three control tokens."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in printable]
    letters = {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(hidden)}
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": N_LETTERS + i, "content": text} | plain for i, text in enumerate(CONTROL)],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "ByteLevel",
            "add_prefix_space": False,
            "trim_offsets": True,
            "use_regex": True,
        },
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {letters[byte]: byte for byte in range(N_LETTERS)}
            | {text: N_LETTERS + i for i, text in enumerate(CONTROL)},
            "merges": [],
        },
    }
