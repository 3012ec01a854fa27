"""Starting the engine anew at the reader's wish, where something can do that."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabwise.engine.reply import Reply
from tabwise.engine.requests.doctor import DoctorRequests
from tabwise.engine.workroom import Workroom


class Starter:
    """Counts new starts."""

    def __init__(self) -> None:
        self.n_restarts = 0

    def restart(self) -> None:
        self.n_restarts += 1


@pytest.mark.parametrize(("starter", "restarts"), [(Starter(), True), (None, False)])
def test_the_engine_starts_anew_where_it_can(starter: Starter | None, restarts: bool) -> None:
    room = cast(Workroom, SimpleNamespace(ports=SimpleNamespace(own_embedders=starter)))
    posted: list[Any] = []
    handler = DoctorRequests(room).handlers()["engine_restart"]
    result = asyncio.run(cast(Any, handler({"id": "r"}, Reply("r", posted.append))))
    assert result == {"restarts": restarts}
    assert (starter.n_restarts if starter else 0) == int(restarts)
