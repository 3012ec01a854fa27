"""How a hub of models names things: the commit of a revision, the files of a commit, where a file is.

A catalogue says which files of which repository are wanted. Sizes in it are about what the hub said when it
was written; the hub is asked again before a download, for the exact sizes and hashes of the commit it names.
"""

from dataclasses import dataclass

HUB = "https://huggingface.co"


@dataclass(frozen=True, slots=True, kw_only=True)
class HubModel:
    """A model that can be downloaded; `model` is the path of the ONNX file in the repository."""

    id: str
    label: str
    repository: str
    model: str
    licence: str
    about_bytes: int
    revision: str = "main"


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


def revision_url(model: HubModel, hub: str = HUB) -> str:
    """Where the hub tells the commit that a revision stands for."""
    return f"{hub}/api/models/{model.repository}/revision/{model.revision}"


def listing_url(model: HubModel, commit: str, hub: str = HUB) -> str:
    """Where the hub lists the files of a commit."""
    return f"{hub}/api/models/{model.repository}/tree/{commit}?recursive=true"


def file_url(model: HubModel, commit: str, path: str, hub: str = HUB) -> str:
    """Where the hub gives a file."""
    return f"{hub}/{model.repository}/resolve/{commit}/{path}"


def read_commit(answer: object) -> str:
    """The commit in the hub's answer; raises ValueError."""
    commit = answer.get("sha") if isinstance(answer, dict) else None
    if not isinstance(commit, str) or not commit.isalnum():
        raise ValueError("the hub names no commit")
    return commit


def wanted_files(model: HubModel, listing: object, text_files: tuple[str, ...]) -> tuple[RemoteFile, ...]:
    """A model's files in the hub's listing, the large ones last; raises ValueError if one is missing."""
    listed = {}
    for one in listing if isinstance(listing, list) else []:
        if isinstance(one, dict) and one.get("type") == "file" and isinstance(one.get("size"), int):
            large = one.get("lfs") or {}
            sha256, git_sha1 = str(large.get("oid", "")), "" if large else str(one.get("oid", ""))
            listed[str(one.get("path"))] = RemoteFile(str(one["path"]), one["size"], sha256, git_sha1)
    if model.model not in listed:
        raise ValueError(f"{model.repository} has no {model.model}")
    data = [listed[path] for path in sorted(listed) if path.startswith(f"{model.model}_data")]
    return (*(listed[path] for path in text_files if path in listed), listed[model.model], *data)
