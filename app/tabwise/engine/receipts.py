"""The receipts of the last answers, in memory: whoever keeps answers keeps theirs."""

from collections import OrderedDict

from tabwise.errors import InputError

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

    def get(self, answer_id: str) -> str:
        """Return a receipt; raises InputError receipt_unknown when it is not kept any more."""
        text = self.text(answer_id)
        if not text:
            raise InputError("receipt_unknown", subject=answer_id)
        return text

    def text(self, answer_id: str) -> str:
        """Return a receipt, "" when it is not kept any more."""
        return self._texts.get(answer_id, "")
