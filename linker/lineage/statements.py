"""
Reads statements: enters the text of one, or of a script, and a database, leaves the tables and columns that it reads.

What a statement reads, joins and filters by counts, wherever it does so. A star counts what is used of it, at the top
all of it. What cannot be told is a problem, with one line each; nothing is left out silently.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.helper import ensure_list

from linker.lineage.expressions import value_of
from linker.lineage.queries import read_query
from linker.lineage.reading import Reading, Reads
from linker.lineage.scope import NO_VIEWS, Scope, Statement
from linker.lineage.script import statements
from linker.lineage.suffixes import constant
from linker.lineage.tables import Tables
from linker.lineage.values import COMPUTED

_QUERIES = (exp.Query, exp.Values, exp.Pivot)
_WITHOUT_COLUMNS = (exp.Drop, exp.Transaction, exp.Commit, exp.Rollback, exp.Use)


def read_sql(sql: str, tables: Tables, views: Mapping[str, exp.Expr] = NO_VIEWS, *, counts_stars: bool = True) -> Reads:
    """
    What a statement, or a script of several, reads in logical tables; a view reads what its query reads too.

    A star at the top stands for all columns, unless it does not count.
    """
    reading = Reading()
    try:
        _run_all(sql, Statement(sql, tables, reading, value_of, read_query, views, counts_stars))
    except (SqlglotError, RecursionError) as error:
        reading.not_parsed(f"cannot be parsed as {tables.database.dialect}: {_first_line(error)}")
    return reading.reads()


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def _run_all(sql: str, shared: Statement) -> None:
    parsed = list(statements(sql, shared.dialect))
    if not any(statement.find(*_QUERIES) for _, statement in parsed):
        shared.reading.problem("there is no query in it")
    scope = Scope(shared)
    for text, statement in parsed:
        scope = _run(statement, replace(scope, statement=replace(scope.statement, sql=text)))


def _run(statement: exp.Expr, scope: Scope) -> Scope:
    """One statement of a script, and the scope after it."""
    if isinstance(statement, exp.Insert):
        # Without a query there is nothing that it reads.
        statement = statement.expression or statement
    if isinstance(statement, _QUERIES):
        made = read_query(statement, scope).columns
        # What is named was read where it stands.
        scope.reading.read_all(value for _, value in made if scope.statement.counts_stars)
    elif isinstance(statement, exp.Declare | exp.Set):
        for names, value in _assignments(statement):
            scope = _assigned(names, value, scope)
    elif isinstance(statement, exp.Create):
        scope = _created(statement, scope)
    elif not isinstance(statement, _WITHOUT_COLUMNS):
        scope.reading.problem(f"cannot read a statement of kind {statement.key}")
    return scope


def _assignments(statement: exp.Declare | exp.Set) -> Iterator[tuple[Sequence[exp.Expr], exp.Expr | None]]:
    for item in statement.expressions:
        if isinstance(item.this, exp.EQ):
            yield [item.this.this], item.this.expression
        else:
            default = item.args.get("default")
            yield ensure_list(item.this), default if isinstance(default, exp.Expr) else None


def _assigned(names: Sequence[exp.Expr], value: exp.Expr | None, scope: Scope) -> Scope:
    """Variables of a script, and the text that they are where that never changes."""
    if value is not None:
        scope.read(value)
    known = constant(value, scope.constants) if value is not None else None
    named = {name.name: known for name in names}
    # A second value may or may not be there when a query is run.
    told = {name.casefold(): None if name.casefold() in scope.constants else known for name in named}
    return replace(scope.knowing(dict.fromkeys(named, COMPUTED)), constants={**scope.constants, **told})


def _created(create: exp.Create, scope: Scope) -> Scope:
    """A temporary table is a query with a name from here on; a function is read with its parameters known."""
    body = create.expression
    if isinstance(create.this, exp.UserDefinedFunction):
        if isinstance(body, exp.Expr):
            scope.knowing({parameter.name: COMPUTED for parameter in create.this.expressions}).read(body)
        return scope
    if not isinstance(body, exp.Query):
        scope.reading.problem(f"cannot read a statement that creates a {create.kind}")
        return scope
    relation = read_query(body, scope)
    table = create.this.this if isinstance(create.this, exp.Schema) else create.this
    return replace(scope, queries={**scope.queries, _written(table): lambda: relation})


def _written(table: exp.Table) -> str:
    return ".".join(part.name for part in table.parts).casefold()
