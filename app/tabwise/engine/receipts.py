"""The receipts of the last answers, in memory; those of kept answers are with their turns."""

from collections import OrderedDict

MAX_KEPT = 64


class Receipts:
    """Texts of receipts by the id of their answer; the oldest make room."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, str] = OrderedDict()

    def keep(self, answer_id: str, text: str) -> None:
        """Keep a receipt."""
        self._texts[answer_id] = text
        while len(self._texts) > MAX_KEPT:
            self._texts.popitem(last=False)

    def text(self, answer_id: str) -> str:
        """Return a receipt, "" when it is not kept any more."""
        return self._texts.get(answer_id, "")
