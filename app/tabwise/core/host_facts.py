"""What is known of the machine and the browser around the engine; None where nobody can tell."""

from dataclasses import dataclass
from typing import Literal

BuiltIn = Literal["unavailable", "downloadable", "downloading", "available"]
"""State of a model that the browser brings along; "unavailable", too, where it has no such interface."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """The graphics adapter that WebGPU gives; name "" for none."""

    name: str
    is_software: bool
    has_f16: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFacts:
    """Facts, not judgements. Sizes in bytes."""

    n_threads: int
    heap_bytes: int | None = None
    storage_used_bytes: int | None = None
    storage_quota_bytes: int | None = None
    storage_is_kept: bool | None = None
    is_isolated: bool | None = None
    gpu: Gpu | None = None
    prompt_api: BuiltIn | None = None
    summarizer: BuiltIn | None = None
    reads_local_files: bool | None = None
    reads_all_sites: bool | None = None
    n_sites: int | None = None
