"""
Counts usage in queries, and proposes glossary terms from column aliases.

Queries are resolved against the catalog: views, CTEs and shards map to logical tables. Queries that
differ only in literals count once. Neither texts nor literals are kept.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, combinations
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace
from sqlglot import Token, TokenType, exp
from sqlglot.errors import SqlglotError

from linker.catalog.column_metadata import ColumnPair, PriorUse, Use
from linker.sql_analysis import Reads, Tables, read_sql
from linker.sql_analysis.collected_reads import Reading
from linker.sql_analysis.queries import read_query, scope_of
from linker.sql_analysis.statements import parse, split
from linker.sql_analysis.values import Open
from linker.sql_analysis.views import origins_of
from linker.text.words import words_of_name
from linker.types import ColumnRef, OnProgress, Record, TableRef
from linker.usage.sources import Logged

KeyT = TypeVar("KeyT")
# Errors of parsing broken text, including parser bugs: one bad text must not end the run.
_BROKEN = (SqlglotError, RecursionError, AttributeError, TypeError, ValueError, LookupError)
_LITERALS = {
    TokenType.STRING,
    TokenType.NUMBER,
    TokenType.NATIONAL_STRING,
    TokenType.RAW_STRING,
    TokenType.HEREDOC_STRING,
    TokenType.BIT_STRING,
    TokenType.HEX_STRING,
    TokenType.BYTE_STRING,
    TokenType.UNICODE_STRING,
    TokenType.PARAMETER,
    TokenType.PLACEHOLDER,
    TokenType.TRUE,
    TokenType.FALSE,
}
# Literals that affect which column or table is read: document paths, wildcards, quoted names.
_LITERAL_TELLS = re.compile(
    r"->|\[|:|\*|suffix|json|path|flatten|identifier|columns|table\s*\(|pivot", re.IGNORECASE
)
_LISTED = re.compile(r"\?(?: , \?)+")
# After an unclosed quote, split at lines that end a statement.
_LINE_THAT_ENDS = re.compile(r";[ \t]*\r?\n")


def proposed_terms(text: str, tables: Tables) -> Iterator[tuple[str, ColumnRef]]:
    """Aliases such as `revenue` in `select sum(amount) as revenue`, with their only column."""
    query = parse(text, tables.database.dialect).find(exp.Query)
    if query is None:
        return
    scope = scope_of(text, tables)
    read_query(query, scope)
    for alias in query.find_all(exp.Alias):
        if not isinstance(alias.parent, exp.Select) or alias.find(exp.Subquery):
            continue
        ref = _only_column(alias, scope.reading)
        if ref is None:
            continue
        words = words_of_name(f"{ref.table.name} {ref.path}")
        if not set(words_of_name(alias.alias)).intersection(words):
            yield " ".join(alias.alias.casefold().replace("_", " ").split()), ref


def _only_column(expression: exp.Expr, reading: Reading) -> ColumnRef | None:
    """The stored column behind all names of an expression."""
    refs: set[ColumnRef | None] = set()
    for name in expression.find_all(exp.Column, exp.Dot):
        if id(name) in reading.values:
            value = reading.values[id(name)] or Open()
            origins = origins_of(value)
            refs.update(origins.same + origins.made)
            if isinstance(value, Open):
                refs.add(None)
    return refs.pop() if len(refs) == 1 else None


@dataclass(eq=False)
class TargetTables(Tables):
    """Resolves a bare name in the target's schema first; other databases are ignored."""

    home: str = ""
    schema: str = ""

    def resolve(self, name: str) -> list[TableRef]:
        """Physical tables that a name may mean."""
        if self._is_elsewhere(name):
            return []
        matches = super().resolve(name)
        own = [
            table
            for table in matches
            if "." not in name and table.schema.casefold() == self.schema.casefold()
        ]
        return own or matches

    def sibling_shards(self, name: str) -> list[TableRef]:
        """Shards that a name would belong to."""
        return [] if self._is_elsewhere(name) else super().sibling_shards(name)

    def by_prefix(self, prefix: str) -> list[tuple[TableRef, str]]:
        """Physical tables by prefix."""
        return [] if self._is_elsewhere(prefix) else super().by_prefix(prefix)

    def _is_elsewhere(self, name: str) -> bool:
        steps = name.casefold().split(".")
        return bool(self.home) and len(steps) > 2 and steps[-3] != self.home.casefold()


class Counted(Record, frozen=True):
    """
    Numbers of statements read, used (partly), and skipped by reason.

    `queries` are distinct used ones; `new_joins` undeclared joins, most used first; `terms` aliases
    with the number of queries.
    """

    read: int = 0
    used: int = 0
    partly: int = 0
    broken: int = 0
    other_tables: int = 0
    no_table: int = 0
    queries: int = 0
    tables: int = 0
    columns: int = 0
    joins: int = 0
    new_joins: tuple[tuple[ColumnPair, Use], ...] = ()
    terms: tuple[tuple[tuple[str, ColumnRef], int], ...] = ()

    @property
    def skipped(self) -> int:
        """Unused statements."""
        return self.broken + self.other_tables + self.no_table


class _Text(Struct):
    """A distinct text with its number of runs."""

    text: str
    shape: str
    entries: int = 0
    use: Use = field(default_factory=lambda: Use(1, 0))

    def logged(self, runs: int, last: date | None) -> None:
        self.entries += 1
        self.use = replace(self.use + Use(0, runs, last), queries=1)


def count_use(
    log: Iterable[Logged],
    tables: Tables,
    known_joins: Iterable[ColumnPair] = (),
    on_progress: OnProgress = lambda _done, _total: None,
) -> tuple[PriorUse, Counted]:
    """Count usage; independent of the order of the log."""
    texts, broken = _texts(log, tables.database.dialect)
    views = _views(texts, tables)
    counts = {"broken": broken, "other_tables": 0, "no_table": 0, "used": 0, "partly": 0}
    forms: dict[tuple[str, Reads], Use] = {}
    terms: Counter[tuple[str, ColumnRef]] = Counter()
    for number, query in enumerate(texts, start=1):
        reads = _reads(query.text, tables, views)
        outcome = _outcome(reads)
        counts[outcome] += query.entries
        if outcome == "used":
            terms.update(_terms(query.text, tables))
            counts["partly"] += query.entries * bool(reads.problems)
            form = (query.shape, replace(reads, problems=(), unknown=(), unknown_tables=()))
            forms[form] = (
                replace(forms[form] + query.use, queries=1) if form in forms else query.use
            )
        on_progress(number, len(texts))
    prior_use = _counted((reads, use) for (_, reads), use in forms.items())
    declared = {(min(pair), max(pair)) for pair in known_joins}
    new = [(pair, use) for pair, use in prior_use.joins.items() if pair not in declared]
    counted = Counted(
        read=broken + sum(query.entries for query in texts),
        queries=prior_use.queries,
        tables=len(prior_use.tables),
        columns=len(prior_use.columns),
        joins=len(prior_use.joins),
        new_joins=tuple(sorted(new, key=lambda join: (-join[1].queries, join[0]))),
        terms=tuple(sorted(terms.items(), key=lambda term: (-term[1], term[0]))),
        **counts,
    )
    return prior_use, counted


def _texts(log: Iterable[Logged], dialect: str) -> tuple[list[_Text], int]:
    """Distinct texts in a fixed order, and the number that cannot be tokenised."""
    texts: dict[str, _Text] = {}
    broken = 0
    for logged in log:
        for pieces in _pieces(logged.text, dialect):
            if pieces is None:
                broken += 1
                continue
            for text, tokens in pieces:
                # Read one text per shape, unless literals matter.
                shape = shape_of(tokens)
                key = text if _LITERAL_TELLS.search(text) else shape
                merged = texts.setdefault(key, _Text(text, shape))
                merged.text = min(merged.text, text)
                merged.logged(logged.runs, logged.last)
    return [texts[key] for key in sorted(texts)], broken


def _pieces(text: str, dialect: str) -> Iterator[list[tuple[str, list[Token]]] | None]:
    """Statements of a text with tokens; None for unreadable parts."""
    try:
        pieces = list(split(text, dialect))
        yield pieces or None
    except _BROKEN:
        parts = [part for part in _LINE_THAT_ENDS.split(text) if part.strip()]
        if len(parts) < 2:
            yield None
            return
        for part in parts:
            yield from _pieces(part, dialect)


def shape_of(tokens: Sequence[Token]) -> str:
    """A statement without literals and comments."""
    words = ("?" if token.token_type in _LITERALS else token.text.casefold() for token in tokens)
    return _LISTED.sub("?", " ".join(words))


def _views(texts: Iterable[_Text], tables: Tables) -> dict[str, exp.Expr]:
    """Queries of views, and of tables missing from the catalog, by name."""
    queries: dict[str, list[tuple[date, str, exp.Expr]]] = defaultdict(list)
    for statement in texts:
        if not statement.shape.startswith("create "):
            continue
        try:
            create = parse(statement.text, tables.database.dialect)
        except _BROKEN:
            continue
        named = create.this.this if isinstance(create.this, exp.Schema) else create.this
        query = create.expression
        if not (
            isinstance(create, exp.Create)
            and isinstance(query, exp.Query)
            and isinstance(named, exp.Table)
        ):
            continue
        steps = [part.name.casefold() for part in named.parts]
        if create.kind == "VIEW" or not tables.resolve(".".join(steps)):
            for name in {".".join(steps[cut:]) for cut in range(max(1, len(steps) - 1))}:
                queries[name].append((statement.use.last or date.min, statement.text, query))
    # The last definition of a view wins.
    return {name: max(made, key=lambda view: view[:2])[2] for name, made in queries.items()}


def _reads(text: str, tables: Tables, views: Mapping[str, exp.Expr]) -> Reads:
    """Tables and columns that a text reads."""
    try:
        return read_sql(text, tables, views, counts_stars=False)
    except _BROKEN:
        return Reads((), (), is_parsed=False)


def _terms(text: str, tables: Tables) -> set[tuple[str, ColumnRef]]:
    """Glossary terms proposed by a text."""
    try:
        return set(proposed_terms(text, tables))
    except _BROKEN:
        return set()


def _outcome(reads: Reads) -> str:
    if not reads.is_parsed:
        return "broken"
    if reads.tables:
        return "used"
    return "other_tables" if reads.names_others else "no_table"


def _counted(forms: Iterable[tuple[Reads, Use]]) -> PriorUse:
    queries = 0
    tables: dict[TableRef, Use] = {}
    columns: dict[ColumnRef, Use] = {}
    together: dict[tuple[TableRef, TableRef], Use] = {}
    joins: dict[ColumnPair, Use] = {}
    for reads, use in forms:
        queries += 1
        read = sorted(set(chain.from_iterable(reads.tables)))
        _add(tables, read, use)
        _add(columns, set(chain.from_iterable(reads.fields)), use)
        _add(together, combinations(read, 2), use)
        _add(joins, reads.joins, use)
    return PriorUse(queries, tables, columns, together, joins)


def _add(counts: dict[KeyT, Use], keys: Iterable[KeyT], use: Use) -> None:
    for key in keys:
        counts[key] = counts[key] + use if key in counts else use
