"""The error tree: who is to blame decides the class, `code` decides what the user reads.

    AppError                     code · message for the log · retryable
    ├─ InputError                the page or question cannot be used
    ├─ ModelError                unavailable, mismatch
    ├─ StoreError                full, corrupt, newer schema
    ├─ HostError                 the browser said no: permission, tab gone
    ├─ ProviderError             key, rate, context, network
    └─ WireError                 a message breaks the schema

Not errors: nothing found, an unsupported citation, a shortened answer; those are values in the result.
"""

from tabwise.protocol.codes import ERROR_CODES


class AppError(Exception):
    """Base of every error the product raises on purpose.

    `code` is a key of `ERROR_CODES`; `message` is for the log, never shown as is.
    `subject` names what it is about (a URL, a file name), for the sentence the panel builds.
    """

    def __init__(self, code: str, message: str = "", *, subject: str = "") -> None:
        if code not in ERROR_CODES:
            raise ValueError(f"unknown error code: {code}")
        super().__init__(message or code)
        self.code = code
        self.message = message or code
        self.subject = subject

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later without a change by the user."""
        return ERROR_CODES[self.code]


class InputError(AppError):
    """The page or question cannot be used."""


class ModelError(AppError):
    """A model is unavailable or does not match the index."""


class DeviceLost(ModelError):
    """The session of a model is gone, the model is not: its worker died, or the GPU was taken away."""

    def __init__(self, message: str) -> None:
        super().__init__("model_unavailable", message)


class StoreError(AppError):
    """The library file is full, damaged, locked or newer than this program."""


class HostError(AppError):
    """The browser refused: permission, tab gone, tab asleep."""


class ProviderError(AppError):
    """A service on the network refused or could not be reached: key, rate, context, network."""


class WireError(AppError):
    """A message breaks the schema."""

    def __init__(self, message: str) -> None:
        super().__init__("wire_invalid", message)
