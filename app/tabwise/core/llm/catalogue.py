"""Larger models that can be downloaded, as data: which files of which repository of the hub.

Sizes are about what the hub said when this was written; the hub is asked again before a download, for the
exact sizes and hashes of the revision it then names.
"""

from dataclasses import dataclass

HUB = "https://huggingface.co"


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """`model` is the path of the ONNX file in the repository; `device` what it is made for."""

    id: str
    label: str
    repository: str
    model: str
    device: str
    licence: str
    context_tokens: int
    about_bytes: int
    revision: str = "main"


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


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file as the hub lists it: sha256 of a large one, the Git hash of a small one."""

    path: str
    size_bytes: int
    sha256: str = ""
    git_sha1: str = ""

    @property
    def name(self) -> str:
        """What it is called in the model's folder."""
        return self.path.rpartition("/")[2]


def revision_url(entry: CatalogueEntry, hub: str = HUB) -> str:
    """Where the hub tells the commit that a revision stands for."""
    return f"{hub}/api/models/{entry.repository}/revision/{entry.revision}"


def listing_url(entry: CatalogueEntry, commit: str, hub: str = HUB) -> str:
    """Where the hub lists the files of a commit."""
    return f"{hub}/api/models/{entry.repository}/tree/{commit}?recursive=true"


def file_url(entry: CatalogueEntry, commit: str, path: str, hub: str = HUB) -> str:
    """Where the hub gives a file."""
    return f"{hub}/{entry.repository}/resolve/{commit}/{path}"


def read_commit(answer: object) -> str:
    """The commit in the hub's answer; raises ValueError."""
    commit = answer.get("sha") if isinstance(answer, dict) else None
    if not isinstance(commit, str) or not commit.isalnum():
        raise ValueError("the hub names no commit")
    return commit


def wanted_files(
    entry: CatalogueEntry, listing: object, text_files: tuple[str, ...]
) -> tuple[RemoteFile, ...]:
    """An entry's files in the hub's listing, the large ones last; raises ValueError if one is missing."""
    listed = {}
    for one in listing if isinstance(listing, list) else []:
        if isinstance(one, dict) and one.get("type") == "file" and isinstance(one.get("size"), int):
            large = one.get("lfs") or {}
            sha256, git_sha1 = str(large.get("oid", "")), "" if large else str(one.get("oid", ""))
            listed[str(one.get("path"))] = RemoteFile(str(one["path"]), one["size"], sha256, git_sha1)
    if entry.model not in listed:
        raise ValueError(f"{entry.repository} has no {entry.model}")
    data = [listed[path] for path in sorted(listed) if path.startswith(f"{entry.model}_data")]
    return (*(listed[path] for path in text_files if path in listed), listed[entry.model], *data)
