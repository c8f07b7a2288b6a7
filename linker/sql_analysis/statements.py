"""
Tables and columns that a statement or script reads, including BigQuery `begin … end` blocks.

Reads, joins and filters count wherever they occur. A star counts the columns used of it, at the top
level all. Unresolvable parts are reported, one line each.
"""

import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import sqlglot
from msgspec.structs import replace
from sqlglot import Token, TokenType, exp
from sqlglot.dialects import Dialect as Grammar
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.helper import ensure_list

from linker.errors import first_line
from linker.identifiers.resolver import Names, Unknown
from linker.sql_analysis.collected_reads import Reads
from linker.sql_analysis.queries import read_query, scope_of
from linker.sql_analysis.scope import NO_VIEWS, Scope, rules_of
from linker.sql_analysis.tables import MergedTables, Tables, constant
from linker.sql_analysis.values import COMPUTED
from linker.text.words import readable
from linker.types import Catalog, ColumnRef, Record, TableRef
from linker.warehouses.base.read_only import DEEPEST, depth_of

_QUERIES = (exp.Query, exp.Values, exp.Pivot)
_WITHOUT_COLUMNS = (exp.Drop, exp.Transaction, exp.Commit, exp.Rollback, exp.Use)
_LONGEST_PROBLEM = 200


def read_sql(
    sql: str, tables: Tables, views: Mapping[str, exp.Expr] = NO_VIEWS, *, counts_stars: bool = True
) -> Reads:
    """
    Logical tables and columns read by a statement or script; views include what their query reads.

    `counts_stars` decides whether a top-level star counts as all columns.
    """
    scope = scope_of(sql, tables, views=views, counts_stars=counts_stars)
    reading = scope.reading
    try:
        _run_all(sql, scope)
    except (SqlglotError, RecursionError) as error:
        reading.not_parsed(f"cannot be parsed as {tables.database.dialect}: {first_line(error)}")
    return reading.reads()


def _run_all(sql: str, scope: Scope) -> None:
    parsed = list(statements(sql, scope.statement.dialect))
    if not any(statement.find(*_QUERIES) for _, statement in parsed):
        scope.reading.problem("there is no query in it")
    for text, statement in parsed:
        scope = _run(statement, replace(scope, statement=replace(scope.statement, sql=text)))


def _run(statement: exp.Expr, scope: Scope) -> Scope:
    """The scope after a statement of a script."""
    if isinstance(statement, exp.Insert):
        # Without a query nothing is read.
        statement = statement.expression or statement
    if isinstance(statement, _QUERIES):
        made = read_query(statement, scope).columns
        # Outputs count as read.
        scope.reading.read_all(value for _, value in made if scope.statement.counts_stars)
    elif isinstance(statement, exp.Declare | exp.Set):
        for names, value in _assignments(statement):
            scope = _assigned(names, value, scope)
    elif isinstance(statement, exp.Create):
        scope = _created(statement, scope)
    elif not isinstance(statement, _WITHOUT_COLUMNS):
        scope.reading.problem(f"cannot read a statement of kind {statement.key}")
    return scope


def _assignments(
    statement: exp.Declare | exp.Set,
) -> Iterator[tuple[Sequence[exp.Expr], exp.Expr | None]]:
    for item in statement.expressions:
        if isinstance(item.this, exp.EQ):
            yield [item.this.this], item.this.expression
        else:
            default = item.args.get("default")
            yield ensure_list(item.this), default if isinstance(default, exp.Expr) else None


def _assigned(names: Sequence[exp.Expr], value: exp.Expr | None, scope: Scope) -> Scope:
    """Script variables, with constant text if they never change."""
    if value is not None:
        scope.read(value)
    constant_value = constant(value, scope.constants) if value is not None else None
    named = {name.name: constant_value for name in names}
    # A variable assigned twice may have either value.
    constants = {
        name.casefold(): None if name.casefold() in scope.constants else constant_value
        for name in named
    }
    return replace(
        scope.knowing(dict.fromkeys(named, COMPUTED)), constants={**scope.constants, **constants}
    )


def _created(create: exp.Create, scope: Scope) -> Scope:
    """A temporary table acts as a CTE from here on; functions get their parameters."""
    body = create.expression
    if isinstance(create.this, exp.UserDefinedFunction):
        if isinstance(body, exp.Expr):
            scope.knowing({parameter.name: COMPUTED for parameter in create.this.expressions}).read(
                body
            )
        return scope
    if not isinstance(body, exp.Query):
        scope.reading.problem(f"cannot read a statement that creates a {create.kind}")
        return scope
    relation = read_query(body, scope)
    table = create.this.this if isinstance(create.this, exp.Schema) else create.this
    written = ".".join(part.name for part in table.parts).casefold()
    return replace(scope, queries={**scope.queries, written: lambda: relation})


class Used(Record, frozen=True):
    """Tables and columns of a query, and unresolved names; `problem` if it is unreadable."""

    tables: tuple[TableRef, ...] = ()
    columns: tuple[ColumnRef, ...] = ()
    unknown: tuple[str, ...] = ()
    problem: str = ""


def used_by(sql: str, dialect: str, names: Names, catalog: Catalog) -> Used:
    """Tables and columns of a query with repaired names; works for faulty queries too."""
    try:
        parsed = [statement for _, statement in statements(sql, dialect)]
    except (SqlglotError, RecursionError) as error:
        return Used(problem=readable(str(error))[:_LONGEST_PROBLEM] or "it is nested too deeply")
    if len(parsed) != 1 or not isinstance(parsed[0], exp.Query):
        return Used(problem="it is not one select")
    reads = read_sql(sql, _MendedTables(MergedTables.create(dialect, catalog), names))
    if not reads.is_parsed:
        return Used(problem=reads.problems[0])
    tables = tuple(dict.fromkeys(chain.from_iterable(reads.tables)))
    columns = dict.fromkeys(chain.from_iterable(reads.fields))
    # Names of missing tables are not repaired as columns.
    unknown = list(reads.unknown_tables)
    for name in reads.unknown:
        if column := _mended(name, tables, names):
            columns[column] = None
        else:
            unknown.append(name)
    return Used(tables, tuple(columns), tuple(unknown))


@dataclass(eq=False)
class _MendedTables(Tables):
    """Tables of a target, also found by names with a typo."""

    names: Names

    def resolve(self, name: str) -> list[TableRef]:
        """Physical tables that a name may mean."""
        exact = super().resolve(name)
        mended = None if exact else self.names.table(name)
        return [mended] if isinstance(mended, TableRef) else exact


def _mended(name: str, tables: Sequence[TableRef], names: Names) -> ColumnRef | None:
    """The only plausible column: with a typo, of another table, or a parent path."""
    for path in _paths(name.split(".")):
        resolved = {names.column(f"{table}.{path}", [table]) for table in tables}
        columns = [column for column in resolved if not isinstance(column, Unknown)]
        if columns:
            return columns[0] if len(columns) == 1 else None
    return None


def _paths(steps: Sequence[str]) -> Iterator[str]:
    """Candidate paths: without a table prefix, then shorter and shorter."""
    for end in range(len(steps), 0, -1):
        yield ".".join(steps[min(1, end - 1) : end])


_ENDS = ((), ("END",), ("END", "TRANSACTION"))
_BEFORE_A_PATH = ("FROM", "JOIN", ",")


def statements(sql: str, dialect: str) -> Iterator[tuple[str, exp.Expr]]:
    """Parsed statements with their text."""
    for text, tokens in split(sql, dialect):
        # A compiled parser would overflow the stack.
        if depth_of(tokens) > DEEPEST:
            raise ParseError("it is nested too deeply")
        yield text, parse(text, dialect)


def split(sql: str, dialect: str) -> Iterator[tuple[str, list[Token]]]:
    """Statements as text and tokens; respects quotes and comments."""
    tokens = Grammar.get_or_raise(dialect).tokenize(sql)
    for piece in _pieces(tokens):
        if _word(piece[0]) == "BEGIN" and len(piece) > 1 and _word(piece[1]) != "TRANSACTION":
            yield from split(sql[piece[0].end + 1 : piece[-1].end + 1], dialect)
            continue
        has_paths = rules_of(dialect).has_columns_in_from
        text = _with_unnest(sql, piece) if has_paths else sql[piece[0].start : piece[-1].end + 1]
        yield text, piece


def parse(text: str, dialect: str) -> exp.Expr:
    """Parse one statement."""
    with _quiet():
        return sqlglot.parse_one(text, dialect=dialect)


def _pieces(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    piece: list[Token] = []
    for token in [*tokens, None]:
        if token is not None and token.token_type != TokenType.SEMICOLON:
            piece.append(token)
            continue
        if tuple(map(_word, piece)) not in _ENDS:
            yield piece
        piece = []


def _word(token: Token) -> str:
    return token.text.upper()


def _with_unnest(sql: str, tokens: Sequence[Token]) -> str:
    """
    Make the implicit UNNEST of `from t, t.items as i with offset` explicit, which sqlglot requires.
    """
    text, done = "", tokens[0].start
    for index, token in enumerate(tokens):
        if _word(token) == "WITH" and [_word(after) for after in tokens[index + 1 : index + 2]] == [
            "OFFSET"
        ]:
            path = _path_before(tokens[:index])
            if path:
                text += (
                    f"{sql[done : path[0].start]}unnest({sql[path[0].start : path[-1].end + 1]})"
                )
                done = path[-1].end + 1
    return text + sql[done : tokens[-1].end + 1]


def _path_before(tokens: Sequence[Token]) -> Sequence[Token]:
    """The dotted name at the end of the tokens."""
    for alias in (0, 1, 2):
        rest = tokens[: len(tokens) - alias]
        start = len(rest) - 1
        while start >= 2 and _word(rest[start - 1]) == ".":
            start -= 2
        is_path = 0 < start < len(rest) - 1 and _word(rest[start - 1]) in _BEFORE_A_PATH
        if is_path and (alias < 2 or _word(tokens[-2]) == "AS"):
            return rest[start:]
    return ()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence sqlglot's log, since unknown statements are reported as problems."""
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
