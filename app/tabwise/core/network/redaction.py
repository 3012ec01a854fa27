"""Keys leave no trace: a secret is recognised by its value, wherever and however it is written.

Names of headers and fields tell nothing (`x-api-key`, `api_key`, `?key=`): what is looked for is the secret
itself, as it stands, percent-encoded, and inside a JSON string.
"""

import json
from urllib.parse import quote

MARK = "[key]"
MIN_CHARS = 8
"""Shorter ones ("ollama", "none") are dummies for services without keys, and words of ordinary text."""


class Redactor:
    """Replaces every secret it was told of."""

    def __init__(self) -> None:
        self._forms: list[str] = []

    def add(self, secret: str) -> None:
        """Redact this value from now on; one under MIN_CHARS is left alone."""
        if len(secret) < MIN_CHARS:
            return
        forms = {secret, quote(secret, safe="", errors="replace"), json.dumps(secret)[1:-1]}
        # Longest first: a secret may be the beginning of another.
        self._forms = sorted({*self._forms, *forms}, key=lambda form: (-len(form), form))

    def __call__(self, text: str) -> str:
        """Return the text with MARK in place of each secret."""
        for form in self._forms:
            text = text.replace(form, MARK)
        return text
