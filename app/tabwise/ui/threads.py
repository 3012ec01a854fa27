"""The open conversation as a tree of questions, and saved conversations by the day they were last changed.

A block is one question with what is known of its answer. `blocks` of the state holds those of every branch;
`head` names the last one that is shown, and the path to it is what the reader sees. A block that is not
`whole` has its answer in the library only.
"""

from tabwise.ui.dates import date_of, start_of_day
from tabwise.ui.state import find, put

_STATES = {"running": "working"}


def new_block(block_id: str, parent: str, question: str, asked_of: dict, manner: str, now: float) -> dict:
    """Return the block of a question that is being asked; `manner` is the type of its request."""
    return {
        "id": block_id,
        "parent": parent,
        "question": question,
        "asked_of": asked_of,
        "manner": manner,
        "state": "working",
        "started": now,
        "stage": None,
        "stages": [],
        "sentences": [],
        "citations": [],
        "answer": None,
        "error": None,
        "restarted": False,
        "whole": True,
    }


def block_of(turn: dict) -> dict:
    """Return the block of a saved ThreadTurn."""
    asked = turn["request"]
    asked_of = {"sources": asked["sources"], "filter": asked["filter"]}
    block = new_block(turn["id"], turn["parent"], turn["question"], asked_of, asked["type"], turn["asked_at"])
    answer = turn["answer"]
    if answer is not None and asked["type"] == "research":
        answer = answer["answer"]
    if answer is not None and asked["type"] == "ask_each":
        answer = None
    return put(
        block,
        state=_STATES.get(turn["state"], turn["state"]),
        sentences=answer["sentences"] if answer else turn["sentences"],
        citations=answer["citations"] if answer else turn["citations"],
        answer=answer,
        error={"code": turn["error"], "subject": ""} if turn["error"] else None,
        whole=turn["whole"],
    )


def beside(turn: dict) -> dict:
    """Return what a saved turn tells beside its block, as fields of INSIDE."""
    if turn["answer"] is None:
        return {}
    if turn["request"]["type"] == "ask_each":
        return {"each": turn["answer"]}
    if turn["request"]["type"] == "research":
        return {"steps": turn["answer"]["steps"]}
    return {}


def path_to(blocks: list, head: str) -> list:
    """Return the blocks from the first to `head`."""
    by_id = {block["id"]: block for block in blocks}
    path: list = []
    at = by_id.pop(head, None)
    while at is not None:
        path.append(at)
        at = by_id.pop(at["parent"], None)
    path.reverse()
    return path


def versions_of(blocks: list) -> dict:
    """Return the ids of the questions in the same place, by their parent, in the order they were asked."""
    versions: dict = {}
    for block in blocks:
        versions.setdefault(block["parent"], []).append(block["id"])
    return versions


def newest_end(blocks: list, start: str) -> str:
    """Return the last block below `start` when one always takes the question asked last."""
    at = start
    for _ in blocks:
        following = [block for block in blocks if block["parent"] == at]
        if not following:
            break
        at = following[-1]["id"]
    return at


def blocks_from(blocks: list, start: str) -> list:
    """Return the block `start` and all that follow it on any branch, in the order they were asked."""
    found: list = []
    ids = [start]
    for block in blocks:
        if block["id"] == start or block["parent"] in ids:
            ids.append(block["id"])
            found.append(block)
    return found


def by_day(rows: list, now: float, offset_min: int) -> list:
    """Return saved conversations in groups: (name of the group, year, month, rows), newest first.

    Names are pinned, today, yesterday, week and month; year and month belong to the last, else they are 0.
    """
    today = start_of_day(now, offset_min)
    yesterday = start_of_day(now, offset_min, 1)
    week = start_of_day(now, offset_min, 7)
    groups: list = []
    pinned = [row for row in rows if row["pinned"]]
    if pinned:
        groups.append(("pinned", 0, 0, pinned))
    for row in rows:
        if row["pinned"]:
            continue
        year, month = 0, 0
        if row["updated_at"] >= today:
            name = "today"
        elif row["updated_at"] >= yesterday:
            name = "yesterday"
        elif row["updated_at"] >= week:
            name = "week"
        else:
            name = "month"
            year, month, _ = date_of(row["updated_at"], offset_min)
        if groups and groups[-1][:3] == (name, year, month):
            groups[-1][3].append(row)
        else:
            groups.append((name, year, month, [row]))
    return groups


def found_rows(rows: list, matches: list) -> list:
    """Return (row, match) of each conversation that was found and is still there."""
    found = [(find(rows, "id", match["thread"]), match) for match in matches]
    return [(row, match) for row, match in found if row is not None]
