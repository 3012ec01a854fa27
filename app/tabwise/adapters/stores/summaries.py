"""The summaries in the library file: `ports.SummaryStore` over its open connection."""

import json
from collections.abc import Sequence

from tabwise.adapters.stores.tables import Tables
from tabwise.core.model import SourceId, Verdict
from tabwise.core.summaries.summary import Summary, SummarySentence
from tabwise.core.text.bounded_json import read_json

_COLUMNS = "content_hash, asked, engine, headline, sentences, made_at, read_share"


class SummaryTables(Tables):
    """Two tables of a library file: whole summaries, and what was written of parts."""

    def load_all(self) -> Sequence[Summary]:
        """Every summary."""
        rows = self._read(f"SELECT {_COLUMNS} FROM summary")
        return [
            Summary(content_hash, asked, engine, _line(read_json(line)), _lines(sentences), made_at, share)
            for content_hash, asked, engine, line, sentences, made_at, share in rows
        ]

    def put(self, summary: Summary) -> None:
        """Keep a summary in place of that of the same content; those of no page are dropped."""
        self.put_many([summary])

    def put_many(self, summaries: Sequence[Summary]) -> None:
        """Keep summaries as `put` does, all at once."""
        with self._transaction():
            self._db.executemany(
                f"INSERT OR REPLACE INTO summary ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        summary.content_hash,
                        summary.asked,
                        summary.engine,
                        json.dumps(_values(summary.headline)),
                        json.dumps([_values(sentence) for sentence in summary.sentences]),
                        summary.made_at,
                        summary.read_share,
                    )
                    for summary in summaries
                ],
            )
            self._db.execute("DELETE FROM summary WHERE content_hash NOT IN (SELECT content_hash FROM page)")

    def load_part(self, source: SourceId, part_hash: str) -> str | None:
        """What was written of a part of a page, None when nothing was."""
        with self._errors():
            row = self._db.execute(
                "SELECT text FROM summary_part WHERE source = ? AND part_hash = ?", (source, part_hash)
            ).fetchone()
        return str(row[0]) if row else None

    def put_part(self, source: SourceId, part_hash: str, text: str) -> None:
        """Keep what was written of a part of a page, as long as the page is there."""
        with self._transaction():
            self._db.execute(
                "INSERT OR REPLACE INTO summary_part (source, part_hash, text)"
                " SELECT source, ?, ? FROM page WHERE source = ?",
                (part_hash, text, source),
            )

    def keep_parts(self, source: SourceId, part_hashes: Sequence[str]) -> None:
        """Drop what was written of a page's other parts."""
        marks = ", ".join("?" * len(part_hashes))
        with self._transaction():
            self._db.execute(
                f"DELETE FROM summary_part WHERE source = ? AND part_hash NOT IN ({marks})",
                (source, *part_hashes),
            )


def _values(sentence: SummarySentence) -> list[object]:
    return [sentence.text, sentence.start, sentence.end, sentence.verdict]


def _line(values: Sequence[object]) -> SummarySentence:
    text, start, end, verdict = values
    return SummarySentence(str(text), int(str(start)), int(str(end)), Verdict(str(verdict)))


def _lines(stored: str) -> tuple[SummarySentence, ...]:
    return tuple(map(_line, read_json(stored)))
