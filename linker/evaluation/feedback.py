"""
Feedback on answers, as golden questions in a file of the data directory.

Feedback that SQL was right makes that statement gold. Other feedback determines only some columns;
the answer's other columns are excluded from training.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from msgspec.structs import replace

from linker.config import Settings
from linker.config.target import target_key
from linker.errors import ConfigError, NameLookupError
from linker.evaluation import Suite
from linker.evaluation.golden import read
from linker.files import state_folder, write_atomically
from linker.identifiers.repair import find
from linker.linking.assemble_result import TraceRecord, replay
from linker.linking.result import LinkedColumn, LinkedSchema
from linker.sql import sql_of
from linker.types import Catalog, ColumnRef, Record

FOLDER = "feedback"
# Columns of a correct answer count as needed above this relevance.
_LIKELY_NEEDED = 0.5
_CONFIRMED = ("required", "kept")


class Feedback(Record, frozen=True):
    """Feedback on an answer: right, or the missing columns."""

    id: str
    question: str
    is_right: bool
    needed: tuple[str, ...]
    unsure: tuple[str, ...]
    sql: str = ""

    @property
    def entry(self) -> dict[str, Any]:
        """As an entry of a golden questions file."""
        record: dict[str, Any] = {"id": self.id, "question": self.question}
        if self.sql:
            record["gold_sql"] = self.sql
        else:
            record["gold_columns"] = list(self.needed)
        if self.unsure:
            record["unsure_columns"] = list(self.unsure)
        return record


def feedback_on(record: TraceRecord, missing: Sequence[str], catalog: Catalog) -> Feedback:
    """Feedback on a trace's answer; without missing columns the answer was right."""
    schema, answer = replay(record), sql_of(record)
    lacked = [_column(name, catalog) for name in missing]
    if answer and answer.is_answer and not lacked:
        return Feedback(record.id, schema.question, True, (), (), answer.sql)
    given = _columns(schema)
    if present := [str(ref) for ref in lacked if ref in given]:
        raise ConfigError(
            f"the answer has {', '.join(present)}",
            hint="name columns that it lacks, or say --right",
        )
    used = set(answer.used) if answer else set[ColumnRef]()
    needed = [ref for ref, column in given.items() if ref in used or _is_confirmed(column)]
    if not needed and not lacked:
        needed = _likely(given)
    unsure = tuple(str(ref) for ref in given if ref not in needed)
    named = tuple(map(str, dict.fromkeys((*needed, *lacked))))
    return Feedback(record.id, schema.question, not lacked, named, unsure)


def keep_feedback(settings: Settings, feedback: Feedback) -> int:
    """
    Save feedback, replacing earlier feedback on the same answer; returns the number of entries.
    """
    path = feedback_file(settings)
    entries = yaml.safe_load(path.read_text("utf-8")) if path.exists() else []
    rest = [entry for entry in entries if entry["id"] != feedback.id]
    content = yaml.safe_dump([*rest, feedback.entry], sort_keys=False, allow_unicode=True)
    state_folder(settings.state_dir, FOLDER)
    # Contains the question.
    write_atomically(path, content, is_private=True)
    return len(rest) + 1


def feedback_file(settings: Settings) -> Path:
    digest = hashlib.sha256(target_key(settings).encode()).hexdigest()
    return settings.state_dir / FOLDER / f"{digest[:16]}.yml"


def read_feedback(path: Path) -> Suite:
    """The questions with feedback."""
    if not path.exists():
        raise ConfigError("no feedback yet", hint="linker feedback last --right")
    return replace(read(path), name="feedback")


def _column(name: str, catalog: Catalog) -> ColumnRef:
    ref = find(name, catalog)
    if not isinstance(ref, ColumnRef):
        raise NameLookupError(f"`{name}` is a table", hint="name a column, as schema.table.column")
    return ref


def _columns(schema: LinkedSchema) -> dict[ColumnRef, LinkedColumn]:
    columns = dict[ColumnRef, LinkedColumn]()
    for linked in schema.tables:
        for column in linked.columns:
            columns[ColumnRef(linked.table.ref, column.column.path)] = column
    return columns


def _is_confirmed(column: LinkedColumn) -> bool:
    """Whether a language model found the column necessary."""
    return column.status in _CONFIRMED


def _likely(given: dict[ColumnRef, LinkedColumn]) -> list[ColumnRef]:
    """Columns of an undecided list with a relevance above one half; at least one."""
    by_score = sorted(given, key=lambda ref: -given[ref].score)
    return [ref for ref in by_score if given[ref].score >= _LIKELY_NEEDED] or by_score[:1]
