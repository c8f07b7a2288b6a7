"""What words of a question may name in a linked schema: enters a run of stems, leave tables and columns, best first."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from linker.facts import ColumnFacts, Facts, KeyPair
from linker.linked import LinkedSchema, LinkedTable
from linker.sql.simple.scores import (
    RELATED,
    naming_rank,
    score_of_column,
    score_of_description,
    score_of_table,
    words_of_column,
    words_of_table,
)
from linker.types import Column, ColumnRef, Ref, Table, TableRef
from linker.words import parts, stem, words_of_name, words_of_text

_FORMS = frozenset(map(stem, ("at", "on", "date", "day", "epoch", "key", "time", "ts", "utc", "timestamp")))
# Of two values the one that says yes.
YES = frozenset(("true", "1", "y", "yes", "j", "ja", "t"))
NO = frozenset(("false", "0", "n", "no", "nein", "f"))
# When a row was written says nothing of when what it tells of happened.
_TECHNICAL = frozenset(
    map(stem, ("loaded", "refreshed", "updated", "inserted", "synced", "modified", "etl", "extracted"))
)
# How sure the joins of a table have to be that only leads from one to another.
_SURE_BRIDGE = 0.9
_IN_CENTS = re.compile(r"\b(?:in|eur|euro|usd|gbp|dollar) (?:cents|pence)\b|\bhundredths\b", re.IGNORECASE)
_ASKING = frozenset(("is", "has", "had", "was", "were", "can", "does", "allows"))
# What says that a table is out of use, in its name or at the beginning of its comment.
_SET_ASIDE = frozenset(
    map(
        stem, ("old", "archive", "archived", "bak", "backup", "deprecated", "legacy", "obsolete", "tmp", "temp", "copy")
    )
)
_FIRST_WORDS = 3
_CODES = frozenset(("code", "number", "no", "sku", "key"))
# How much less a column counts that was not linked itself, and how well it has to be named.
_BESIDE, _WELL = 0.9, 0.85
# What says that a number is a month, or the seconds since 1970.
_MONTHLY = frozenset(("month", "period", "yyyymm", "ym"))
_SINCE_1970 = frozenset(("epoch", "unix", "1970"))
_NUMBERS = re.compile(
    r"^(?:u?(?:tiny|small|big|huge)?int|integer|numeric|decimal|number|float|double|real)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a part of the question may name, and how well it does, from 0 to 1."""

    ref: Ref
    score: float
    is_measure: bool = False
    is_flag: bool = False


class Names:
    """The tables and columns of one linked schema, as a question may call them."""

    def __init__(self, schema: LinkedSchema, facts: Facts) -> None:
        self.schema, self.facts = schema, facts

    @cached_property
    def tables(self) -> dict[TableRef, LinkedTable]:
        """The tables, the likeliest first."""
        return {linked.table.ref: linked for linked in self.schema.tables}

    @cached_property
    def columns(self) -> dict[ColumnRef, Column]:
        """The columns of the answer that may stand in a statement: no whole structures, and nothing inside of lists."""
        return {ref: self.all_columns[ref] for ref in self.odds if ref in self.all_columns}

    @cached_property
    def joins(self) -> tuple[KeyPair, ...]:
        """The ways to join these tables, the surest first; one that only leads from one to another may be between."""
        between = self.bridges
        return tuple(
            pair
            for pair in self.facts.joins
            if all(
                table in between or all(ColumnRef(table, path) in self.all_columns for path in paths)
                for table, paths in ((pair.left, pair.left_columns), (pair.right, pair.right_columns))
            )
            and not (pair.left in between and pair.right in between)
        )

    @cached_property
    def bridges(self) -> frozenset[TableRef]:
        """Tables that were not linked, and surely point to at least two that were."""
        found: dict[TableRef, set[TableRef]] = {}
        for pair in self.facts.joins:
            is_sure = pair.confidence >= _SURE_BRIDGE and "*" not in pair.left.name
            if is_sure and pair.left not in self.tables and pair.right in self.tables:
                found.setdefault(pair.left, set()).add(pair.right)
        return frozenset(table for table, ends in found.items() if len(ends) > 1)

    @cached_property
    def all_columns(self) -> dict[ColumnRef, Column]:
        """The columns of the tables, in the answer or not: names, keys and times of what is asked for."""
        return {
            ColumnRef(linked.table.ref, column.path): column
            for linked in self.schema.tables
            for column in linked.table.columns
            if is_plain(column, linked.table)
        }

    @cached_property
    def odds(self) -> dict[ColumnRef, float]:
        """How likely each column of the answer is needed."""
        return {
            ColumnRef(linked.table.ref, one.column.path): one.score
            for linked in self.schema.tables
            for one in linked.columns
        }

    def of(self, ref: ColumnRef) -> ColumnFacts:
        """What was measured of a column."""
        return self.facts.of(ref)

    def columns_of(self, table: TableRef) -> list[ColumnRef]:
        """All columns of one table, in the order of the warehouse."""
        refs = [ref for ref in self.all_columns if ref.table == table]
        return sorted(refs, key=lambda ref: self.all_columns[ref].position)

    def is_number(self, ref: ColumnRef) -> bool:
        """Whether a column holds numbers that can be summed."""
        return bool(_NUMBERS.match(self.all_columns[ref].data_type))

    def is_in_cents(self, ref: ColumnRef) -> bool:
        """Whether a column keeps money in hundredths, as its name or its description says."""
        said = words_of_name(ref.path)[-1:]
        is_said = said in (["cent"], ["cents"], ["penc"], ["pence"])
        return is_said or bool(_IN_CENTS.search(self.all_columns[ref].description or ""))

    def is_covered(self, pair: KeyPair) -> bool:
        """Whether every key of the right side has rows on the left, as far as it was measured."""
        left, right = (self.tables[ref].table.row_count_estimate for ref in (pair.left, pair.right))
        if len(pair.left_columns) == 1:
            used = self.of(ColumnRef(pair.left, pair.left_columns[0])).distinct_count
        else:
            used = None
        if used is None and left is not None and pair.fan_out:
            used = round(left / pair.fan_out)
        return used is not None and right is not None and used * (pair.overlap or 0.0) >= right

    def is_measure(self, ref: ColumnRef) -> bool:
        """Whether sums of a column mean something: it is a number, and neither a key nor a code."""
        known = self.of(ref)
        if self.is_time(ref):
            return False
        is_key = known.is_primary_key or known.is_foreign_key or known.category in ("identifier", "foreign_key", "code")
        return self.is_number(ref) and not is_key and known.category not in ("year", "date", "boolean")

    def is_time(self, ref: ColumnRef) -> bool:
        """Whether a column says when."""
        kind = self.all_columns[ref].data_type.upper()
        if self.of(ref).category in ("date", "timestamp", "year") or kind.startswith(("DATE", "TIMESTAMP")):
            return True
        values = self.of(ref).values
        if not values or not self.is_number(ref):
            return False
        told = {*words_of_name(ref.path), *words_of_text(self.all_columns[ref].description or "")}
        return all(_is_time_number(value, told) for value in values)

    def times_of(self, table: TableRef) -> list[ColumnRef]:
        """The columns of a table that say when something happened; not when its rows were written."""
        times = [ref for ref in self.columns_of(table) if self.is_time(ref)]
        told = [
            ref for ref in times if not _TECHNICAL & set(words_of_column(ref.path)) and not ref.path.startswith("_")
        ]
        # The same moment kept twice, as a date and as a number, is one.
        moments: dict[tuple[str, ...], ColumnRef] = {}
        for ref in sorted(told or times, key=self.is_number):
            moments.setdefault(tuple(word for word in words_of_column(ref.path) if word not in _FORMS), ref)
        return list(moments.values())

    def key_of(self, table: TableRef) -> ColumnRef | None:
        """The one column that tells the rows of a table apart."""
        keys = [ref for ref in self.columns_of(table) if self.of(ref).is_primary_key]
        return keys[0] if len(keys) == 1 else None

    def naming(self, table: TableRef) -> ColumnRef | None:
        """The column that people know the rows of a table by: a name, a title, or what is called like the table."""
        called = words_of_table(table.name)
        ranked = sorted(
            (self.is_number(ref), rank, place, ref)
            for place, ref in enumerate(self.columns_of(table))
            if (rank := naming_rank(ref, called))
        )
        return ranked[0][3] if ranked else None

    def code_of(self, table: TableRef) -> ColumnRef | None:
        """The code or number, written as a text, by which people tell the rows of a table apart."""
        if self.naming(table) is None:
            return None
        told = [ref for ref in self.columns_of(table) if not self.is_number(ref) and self.is_unique(ref)]
        return next((ref for ref in told if words_of_column(ref.path)[-1] in _CODES), None)

    def is_flag(self, ref: ColumnRef) -> bool:
        """Whether a column says yes or no."""
        known = self.of(ref)
        is_boolean = self.all_columns[ref].data_type.upper() in ("BOOLEAN", "BOOL") or known.category == "boolean"
        if is_boolean or (self.is_number(ref) and _is_number_of(ref.path)):
            return is_boolean
        return 0 < (known.distinct_count or 0) <= 2 and {value.casefold() for value in known.values} <= YES | NO

    @cached_property
    def set_aside(self) -> frozenset[TableRef]:
        """Tables that nobody should use any more, or that hold what was put away, as their names or comments say."""
        return frozenset(
            ref
            for ref, linked in self.tables.items()
            if _SET_ASIDE & {*words_of_name(ref.name), *words_of_text(linked.table.description or "")[:_FIRST_WORDS]}
        )

    @cached_property
    def schema_words(self) -> frozenset[str]:
        """What the schemas are called: whoever says it of a table says nothing new."""
        return frozenset(word for ref in self.tables for word in words_of_name(ref.schema))

    def is_unique(self, ref: ColumnRef) -> bool:
        """Whether no two rows share a value, as far as it was measured."""
        rows, known = self.tables[ref.table].table.row_count_estimate, self.of(ref)
        return known.is_primary_key or (rows is not None and known.distinct_count == rows)

    def meanings(self, stems: Sequence[str], lows: Sequence[str]) -> list[Meaning]:
        """What a run of words may name, best first."""
        found = [
            *(
                Meaning(ref, score)
                for ref, linked in self.tables.items()
                if (score := score_of_table(linked.table, stems))
            ),
            *(
                Meaning(ref, score, self.is_measure(ref), self.is_flag(ref))
                for ref in self.all_columns
                if (score := self._column_score(ref, stems, lows))
            ),
        ]
        return sorted(found, key=lambda one: (-one.score, isinstance(one.ref, ColumnRef), str(one.ref)))

    def _column_score(self, ref: ColumnRef, stems: Sequence[str], lows: Sequence[str]) -> float:
        """
        By its name; descriptions hold many words, and only of what is summed or tested a single one tells enough.

        A column that was not linked itself has to be named well.
        """
        score = score_of_column(ref, stems, lows)
        if score == RELATED and (self.is_flag(ref) or not self.is_measure(ref)):
            score = 0.0
        if ref not in self.columns:
            return _BESIDE * score if score >= _WELL or (score and self.is_measure(ref)) else 0.0
        if not score and (len(stems) > 1 or self.is_flag(ref) or self.is_measure(ref)):
            score = score_of_description(self.columns[ref].description, stems)
        return score


def _is_number_of(path: str) -> bool:
    """Whether a column is called by a plural: late_parcels says how many, though there may be one at most."""
    words = parts(path) or [""]
    first, last = words[0], words[-1]
    return first not in _ASKING and last != stem(last) and last.endswith("s")


def _is_time_number(value: str, told: Set[str]) -> bool:
    """Whether a number is a day as 20250301, or a month or the seconds of a column that says so in `told`."""
    if not value.isdecimal() or len(value) not in (6, 8, 10, 13):
        return False
    if len(value) >= 10:
        return bool(_SINCE_1970 & told)
    is_month = "1900" <= value[:4] <= "2099" and "01" <= value[4:6] <= "12"
    return is_month and ("01" <= value[6:] <= "31" if len(value) == 8 else bool(_MONTHLY & told))


def is_plain(column: Column, table: Table) -> bool:
    """Whether a column holds one value a row: no structure, no list, and no part of a list."""
    steps = column.path.split(".") if column.depth else [column.path]
    around = [table.column_by_path.get(".".join(steps[:end])) for end in range(1, len(steps))]
    if any(one is None or one.is_list for one in around):
        return False
    return not (
        column.is_nested or column.is_list or column.data_type.upper().startswith(("JSON", "VARIANT", "STRUCT"))
    )


def table_of(ref: Ref) -> TableRef:
    """The table that something belongs to, or is."""
    return ref.table if isinstance(ref, ColumnRef) else ref
