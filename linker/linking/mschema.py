"""
Completes a linked schema with joins, keys, examples and usage from column metadata, and writes it
as M-Schema, the compact prompt format of text-to-SQL systems.

What a strategy provided is kept: a value named in the question is the first example, and a join
keeps its reason. Masked and hidden columns have no values.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec
from msgspec.structs import replace

from linker.catalog.column_metadata import NO_PRIOR_USE, ColumnFacts, Facts, KeyPair
from linker.catalog.index_session import DiskCached
from linker.catalog.snapshot import ProfiledCatalog
from linker.config.settings import Settings
from linker.environment import Environment
from linker.linking.result import (
    BY_NAME,
    Evidence,
    Join,
    LinkedColumn,
    LinkedSchema,
    LinkedTable,
    no_answer,
    standing,
)
from linker.models import estimate_tokens
from linker.ranking.column_selection import connected
from linker.ranking.ranker import rank, read_question
from linker.ranking.weights import read_weights
from linker.text.escaping import escape_invisible, one_line, shortened, unmarked
from linker.types import ColumnRef, Record, Ref, Table, TableRef

# More examples add little and cost prompt tokens.
MAX_EXAMPLES = 3
# Semantic types of which one example suffices.
_ONE_EXAMPLE = ("identifier", "date", "timestamp")
_Sides = tuple[TableRef, TableRef, frozenset[tuple[str, str]]]

# A value's beginning shows its form; a document would fill the prompt.
_LONGEST_EXAMPLE = 50
# Minimum line of a column; lets huge schemas be rejected without rendering.
MIN_TOKENS_OF_COLUMN = 5
# Keys that follow each other, in which tables of a large catalog are joined.
_MAX_KEYS_BETWEEN = 3
# Tables rendered between size checks.
_TABLES_AT_ONCE = 25


class JoinedTables(Record, frozen=True):
    """One table with its joins, or several with the joins between them."""

    tables: tuple[TableRef, ...]
    joins: tuple[Join, ...]

    @property
    def between(self) -> tuple[TableRef, ...]:
        """Intermediate tables of joins."""
        joined = {join.left for join in self.joins} | {join.right for join in self.joins}
        return tuple(sorted(joined.difference(self.tables))) if len(self.tables) > 1 else ()

    @property
    def apart(self) -> tuple[TableRef, ...]:
        """Tables without a join to the others."""
        joined = {join.left for join in self.joins} | {join.right for join in self.joins}
        return tuple(ref for ref in self.tables if ref not in joined)


def join_tables(tables: Sequence[TableRef], environment: Environment) -> JoinedTables:
    """
    All joins of a single table; for several, the joins that connect them, through others if needed.
    """
    facts = environment.indexed.facts
    if len(tables) == 1:
        pairs = (pair for pair in facts.joins if tables[0] in (pair.left, pair.right))
        return JoinedTables(tuple(tables), tuple(map(as_join, pairs)))
    text = " and ".join(map(str, tables))
    read = read_question(text, environment, tables_behind_keys(tables, facts))
    ranked = rank(
        text, read.index, read_weights(environment.settings.ranking_weights), read.signals
    )
    joins = (as_join(key_pair(facts, left, right)) for left, right in connected(ranked, tables))
    return JoinedTables(tuple(tables), tuple(joins))


def tables_behind_keys(tables: Sequence[TableRef], facts: Facts) -> tuple[TableRef, ...]:
    """Tables, and those that their keys lead to over a few others."""
    leads_to = defaultdict[TableRef, dict[TableRef, None]](dict)
    for pair in facts.joins:
        leads_to[pair.left][pair.right] = None
    tables_there, reached = dict.fromkeys(tables), list(tables)
    for _ in range(_MAX_KEYS_BETWEEN):
        reached = list(chain.from_iterable(leads_to[ref] for ref in reached))
        reached = [ref for ref in dict.fromkeys(reached) if ref not in tables_there]
        tables_there.update(dict.fromkeys(reached))
    return tuple(tables_there)


def key_pair(facts: Facts, left: ColumnRef, right: ColumnRef) -> KeyPair:
    """The declared or measured join of two columns; else a pair without confidence."""
    for pair in facts.between(left.table, right.table):
        sides = {*zip(pair.left_columns, pair.right_columns, strict=True)}
        for own, other in ((left, right), (right, left)):
            is_between = (pair.left, pair.right) == (own.table, other.table)
            if is_between and (own.path, other.path) in sides:
                return pair
    return KeyPair(left.table, (left.path,), right.table, (right.path,), confidence=0.0)


def as_join(pair: KeyPair) -> Join:
    """A key pair as a join of an answer, with its evidence."""
    is_known = pair.confidence and not pair.is_by_name
    reason = f"confidence {pair.confidence:.2f}" if is_known else BY_NAME
    measures = (pair.overlap, pair.fan_out, pair.cardinality)
    return Join(pair.left, pair.left_columns, pair.right, pair.right_columns, reason, *measures)


def described(schema: LinkedSchema, facts: Facts) -> LinkedSchema:
    """Add metadata to a schema; idempotent."""
    measured: dict[_Sides, KeyPair] = {}
    for join in schema.joins:
        for pair in facts.between(join.left, join.right):
            measured.setdefault(_sides(pair), pair)
    return replace(
        schema,
        tables=tuple(_described_table(linked, facts) for linked in schema.tables),
        further_tables=tuple(_described_table(linked, facts) for linked in schema.further_tables),
        joins=tuple(_used(_join(join, measured), facts) for join in schema.joins),
    )


def known_facts_of(
    columns: Iterable[ColumnRef], facts: Facts, named: Mapping[ColumnRef, str]
) -> Facts:
    """Metadata of the columns, with the question's values first."""
    needed = {}
    for ref in columns:
        column_facts = facts.get(ref)
        examples = (named[ref],) if ref in named else ()
        needed[ref] = replace(column_facts, values=_examples(examples, column_facts))
    return Facts(needed, prior_use=facts.prior_use.get(needed) if facts.prior_use else NO_PRIOR_USE)


def _described_table(linked: LinkedTable, facts: Facts) -> LinkedTable:
    columns = tuple(_described_column(column, linked.table.ref, facts) for column in linked.columns)
    further = tuple(_described_column(column, linked.table.ref, facts) for column in linked.further)
    evidence = _with_use(linked.evidence, linked.table.ref, facts)
    return replace(linked, columns=columns, further=further, evidence=evidence)


def _with_use(evidence: tuple[Evidence, ...], ref: Ref, facts: Facts) -> tuple[Evidence, ...]:
    usage = facts.prior_use.summary(ref)
    if not usage or any(item.kind == "usage" for item in evidence):
        return evidence
    return (*evidence, Evidence("usage", usage))


def _described_column(linked: LinkedColumn, table: TableRef, facts: Facts) -> LinkedColumn:
    column_facts = facts.get(ColumnRef(table, linked.column.path))
    return replace(
        linked,
        is_primary_key=linked.is_primary_key or column_facts.is_primary_key,
        points_to=linked.points_to or column_facts.points_to,
        examples=_examples(linked.examples, column_facts),
        evidence=_with_use(linked.evidence, ColumnRef(table, linked.column.path), facts),
    )


def _examples(first: tuple[str, ...], facts: ColumnFacts) -> tuple[str, ...]:
    """A few values, `first` ones first."""
    enough = 1 if facts.category in _ONE_EXAMPLE else MAX_EXAMPLES
    return tuple(dict.fromkeys((*first, *facts.values)))[: max(enough, len(first))]


def _join(join: Join, measured: Mapping[_Sides, KeyPair]) -> Join:
    """
    The join with measures, which apply to the referencing side; reversed if written the other way.
    """
    if join.overlap is not None or join.fan_out is not None:
        return join
    left, right, columns = _sides(join)
    pair = measured.get((left, right, columns))
    if pair is not None:
        return replace(
            join, overlap=pair.overlap, fan_out=pair.fan_out, cardinality=pair.cardinality
        )
    pair = measured.get((right, left, frozenset((other, column) for column, other in columns)))
    if pair is None:
        return join
    measures = (pair.overlap, pair.fan_out, pair.cardinality)
    return Join(
        pair.left, pair.left_columns, pair.right, pair.right_columns, join.reason, *measures
    )


def _used(join: Join, facts: Facts) -> Join:
    """The join with its usage, which may be the only evidence."""
    pairs = zip(join.left_columns, join.right_columns, strict=True)
    uses = [
        facts.prior_use.join(ColumnRef(join.left, column), ColumnRef(join.right, other))
        for column, other in pairs
    ]
    seen = [use for use in uses if use]
    if len(seen) < len(uses) or str(seen[0]) in join.reason:
        return join
    use = min(seen, key=lambda use: use.queries)
    basis = f"confidence {use.confidence:.2f}" if join.reason == BY_NAME else join.reason
    return replace(join, reason=f"{use}; {basis}")


def _sides(join: Join | KeyPair) -> _Sides:
    return join.left, join.right, frozenset(zip(join.left_columns, join.right_columns, strict=True))


class Size(Record, frozen=True):
    """Approximate tokens of a schema in a prompt, or a lower bound."""

    tokens: int
    is_least: bool

    def __str__(self) -> str:
        return f"{'more than' if self.is_least else 'about'} {self.tokens:,} tokens"


def render(schema: LinkedSchema) -> str:
    """One block per table, one tuple per column."""
    return unmarked("\n".join(_lines(schema)))


def _lines(schema: LinkedSchema) -> Iterator[str]:
    yield f"【DB_ID】 {schema.target}"
    if schema.unanswerable:
        yield f"【Unanswerable】 {no_answer(schema.unanswerable)}"
    yield "【Schema】"
    marks = bool(schema.further_tables or any(linked.further for linked in schema.tables))
    for linked in (*schema.tables, *schema.further_tables):
        yield _heading(linked)
        yield "["
        likely = [_column(column, "likely needed" if marks else "") for column in linked.columns]
        yield ",\n".join([*likely, *(_column(column) for column in linked.further)])
        yield "]"
    if schema.joins:
        yield "【Foreign keys】"
        for join in schema.joins:
            yield (
                f"{escape_invisible(join)} ({join.cardinality})"
                if join.cardinality
                else escape_invisible(join)
            )


def _heading(linked: LinkedTable) -> str:
    table = linked.table
    notes = [one_line(table.description)] if table.description else []
    if table.family:
        example = (
            "" if table.family.is_snapshots else f"; for example {table.family.representative}"
        )
        notes.append(one_line(f"{table.family}{example}"))
    if linked.stands_for:
        notes.append(standing(linked))
    return ", ".join([f"# Table: {escape_invisible(table.ref)}", *notes])


def _column(linked: LinkedColumn, mark: str = "") -> str:
    column = linked.column
    parts = [f"{escape_invisible(column.path)}:{column.short_type.upper()}"]
    if mark:
        parts.append(mark)
    if linked.is_primary_key:
        parts.append("Primary Key")
    if column.description:
        parts.append(one_line(column.description))
    if linked.examples:
        parts.append(f"Examples: [{', '.join(_example(value) for value in linked.examples)}]")
    return f"({', '.join(parts)})"


def _example(value: str) -> str:
    """A truncated value with an ellipsis; an empty one is made visible."""
    return shortened(one_line(value) or '""', _LONGEST_EXAMPLE)


def most_tokens(settings: Settings) -> int:
    """Largest schema, in tokens, that is passed whole."""
    return min(settings.schema_tokens, settings.max_tokens)


def _whole(table: Table) -> LinkedTable:
    return LinkedTable(table, tuple(LinkedColumn(column, 0.0, "") for column in table.columns))


def _size_of(profiled: ProfiledCatalog, most: int) -> Size:
    """Size of a schema; once it must exceed `most`, only a lower bound."""
    catalog, facts = profiled.catalog, profiled.facts
    least = catalog.column_count * MIN_TOKENS_OF_COLUMN
    if least > most:
        return Size(least, is_least=True)
    tokens = 0
    for start in range(0, len(catalog.tables), _TABLES_AT_ONCE):
        tables = tuple(map(_whole, catalog.tables[start : start + _TABLES_AT_ONCE]))
        tokens += estimate_tokens(render(described(LinkedSchema("", "", "", tables), facts)))
        if tokens > most and start + _TABLES_AT_ONCE < len(catalog.tables):
            return Size(tokens, is_least=True)
    return Size(tokens, is_least=False)


size_of = DiskCached(
    _size_of, msgspec.msgpack.encode, lambda content, _: msgspec.msgpack.decode(content, type=Size)
)
