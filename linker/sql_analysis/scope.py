"""
Scopes: resolves names and CTEs at their position, by the rules of the dialect.

A scope belongs to one `select`; unknown names are looked up in the enclosing query. A listed column
takes precedence over one that a source may have, in any scope.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase

from msgspec import Struct, field
from msgspec.structs import replace
from sqlglot import exp

from linker.sql_analysis.collected_reads import Reading
from linker.sql_analysis.tables import Constants, Tables
from linker.sql_analysis.values import (
    COMPUTED,
    Open,
    Relation,
    Source,
    Value,
    either,
    look_into,
    part_of,
)
from linker.warehouses import find_dialect
from linker.warehouses.base.dialect import Dialect, words

NO_VIEWS: Mapping[str, exp.Expr] = {}
# Nested stars grow exponentially.
_MAX_COLUMNS = 50_000
_SQLITE = Dialect(
    name="sqlite",
    pseudo_columns=words("rowid oid _rowid_"),
    # https://www.sqlite.org/lang_select.html#orderby
    sorts_by_whole_aliases=True,
    # https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted
    has_double_quoted_texts=True,
)


class Statement(Struct, eq=False):
    """State shared by all scopes of a statement."""

    sql: str
    tables: Tables
    reading: Reading
    value_of: Callable[[exp.Expr, "Scope"], Value]
    read_query: Callable[[exp.Expr, "Scope"], Relation]
    views: Mapping[str, exp.Expr]
    counts_stars: bool
    # Read unused CTEs.
    reads_unused: bool = False
    # Tables already resolved, by node id.
    opened: Mapping[int, Relation] = field(default_factory=dict)
    # CTEs by the id of their definition.
    defined: dict[int, Callable[[], Relation]] = field(default_factory=dict)

    def view(self, *names: str) -> Relation | None:
        """The first of these names that is a view, as a relation."""
        name = next((name.casefold() for name in names if name.casefold() in self.views), None)
        if name is None:
            return None
        query = self.views[name]
        # Break recursion.
        others = {other: behind for other, behind in self.views.items() if behind is not query}
        return self.read_query(query, Scope(replace(self, views=others)))

    @property
    def dialect(self) -> str:
        return self.tables.database.dialect

    @property
    def rules(self) -> Dialect:
        """Rules of the dialect."""
        return rules_of(self.dialect)


class Scope(Struct, eq=False):
    """Sources and output names of a `select`, and the enclosing scope."""

    statement: Statement
    parent: "Scope | None" = None
    queries: Mapping[str, Callable[[], Relation]] = field(default_factory=dict)
    variables: Mapping[str, Value] = field(default_factory=dict)
    constants: Constants = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    merged: dict[str, Value] = field(default_factory=dict)
    aliases: dict[str, Value] = field(default_factory=dict)
    is_alias_first: bool = False

    @property
    def reading(self) -> Reading:
        """What the statement has read so far."""
        return self.statement.reading

    def value_of(self, expression: exp.Expr) -> Value:
        """Value of an expression in this scope."""
        return self.statement.value_of(expression, self)

    def read(self, expression: exp.Expr) -> None:
        """Record the use of an expression."""
        self.reading.read(self.value_of(expression))

    def hand_on(self, expression: exp.Expr) -> Value:
        """Value of a passed-on expression; nested columns stay lazy."""
        value = self.value_of(expression)
        self.reading.choose(value)
        return value

    def relation(self, query: exp.Expr) -> Relation:
        """Relation of a sub-query."""
        return self.statement.read_query(query, self)

    def named_query(
        self, table: exp.Expr, *, is_lenient: bool = False
    ) -> Callable[[], Relation] | None:
        """The CTE that a FROM name refers to."""
        if not isinstance(table, exp.Table):
            return None
        cte = definition(table, self.statement.rules, is_lenient=is_lenient)
        return self.statement.defined.get(id(cte))

    def inner(self) -> "Scope":
        """Scope of a sub-query."""
        return Scope(self.statement, self, self.queries, self.variables, self.constants)

    def alias_first(self, is_alias_first: bool) -> "Scope":
        """Scope of a clause in which output names precede columns, or not."""
        return replace(self, is_alias_first=is_alias_first)

    def knowing(self, variables: Mapping[str, Value]) -> "Scope":
        """Scope with function parameters."""
        return replace(
            self,
            variables={**self.variables, **{name.casefold(): v for name, v in variables.items()}},
        )

    def find(self, steps: Sequence[str]) -> Value | None:
        """Value of a dotted name, innermost scope first."""
        scopes: list[Scope] = []
        is_qualified = False
        for scope in self._outwards():
            scopes.append(scope)
            # The innermost source of that name wins.
            is_qualified = len(steps) > 1 and scope._has_source(steps[0])
            if is_qualified:
                break
        for scope in scopes:
            value = scope._find_here(steps, is_qualified=is_qualified)
            if value is not None:
                return value
        for find in (Scope._find_variable, Scope._find_open):
            for scope in scopes:
                value = find(scope, steps)
                if value is not None:
                    return value
        return None

    def _has_source(self, name: str) -> bool:
        return any(source.is_called(name) for source in self.sources)

    def parameter(self, name: str) -> Value | None:
        """Value of a script variable or function parameter."""
        return self.variables.get(name.casefold())

    def source(self, name: str) -> Source | None:
        """The innermost source of that name."""
        for scope in self._outwards():
            for source in scope.sources:
                if source.is_called(name):
                    return source
        return None

    def columns(self) -> tuple[tuple[str, Value], ...]:
        """Columns of `*`; merged join columns occur once."""
        listed: list[tuple[str, Value]] = []
        done: set[str] = set()
        if sum(len(source.relation.columns) for source in self.sources) > _MAX_COLUMNS:
            raise RecursionError("it selects too many columns")
        for source in self.sources:
            for name, value in source.relation.starred:
                merged = self.merged.get(name.casefold())
                if merged is None:
                    listed.append((name, value))
                elif name.casefold() not in done:
                    done.add(name.casefold())
                    listed.append((name, merged))
        return tuple(listed)

    def is_open(self) -> bool:
        """Whether `*` includes columns that cannot be listed."""
        return any(source.relation.is_open for source in self.sources)

    def merge(self, name: str, right: Source) -> bool:
        """Merge a column of both join sides into one."""
        others = [source.relation for source in self.sources if source is not right]
        values = [relation.find(name) for relation in others]
        existing = [value for value in values if value is not None]
        left = self.merged.get(name.casefold()) or (existing[0] if existing else None)
        other = right.relation.find(name) or (COMPUTED if right.relation.is_open else None)
        if left is None and any(relation.is_open for relation in others):
            left = COMPUTED
        if left is None or other is None:
            return False
        self.reading.read_all((left, other))
        self.reading.join(left, other)
        self.merged[name.casefold()] = either((left, other))
        return True

    def _outwards(self) -> Iterator["Scope"]:
        scope: Scope | None = self
        while scope:
            yield scope
            scope = scope.parent

    def _find_here(self, steps: Sequence[str], *, is_qualified: bool) -> Value | None:
        for head, rest in self._heads(steps):
            if is_qualified and rest == list(steps[1:]) and part_of(head, rest[0]) is None:
                # A source name precedes a column without known parts.
                continue
            value: Value | None = head
            for step in rest:
                value = look_into(value, step) if value else None
            if value is not None:
                return value
        return None

    def _heads(self, steps: Sequence[str]) -> Iterator[tuple[Value, Sequence[str]]]:
        """Values of the first parts, most likely first, with the remaining parts."""
        name, *rest = steps
        alias = self.aliases.get(name.casefold())
        if alias is not None and self.is_alias_first:
            yield alias, rest
        yield from self._qualified(steps)
        column = self.merged.get(name.casefold()) or self._find_column(name)
        if column is not None:
            yield column, rest
        # A bare source name is its row.
        rows = [source.row for source in self.sources if source.is_called(name)]
        if not rows:
            hidden = (source.find_hidden(steps) for source in self.sources)
            yield from ((column, ()) for column in hidden if column is not None)
        if alias is not None:
            yield alias, rest
        yield from ((row, rest) for row in rows)

    def _qualified(self, steps: Sequence[str]) -> Iterator[tuple[Value, Sequence[str]]]:
        for cut in range(len(steps) - 1, 0, -1):
            for source in self.sources:
                column = (
                    source.relation.look_into(steps[cut])
                    if source.is_called(".".join(steps[:cut]))
                    else None
                )
                if column is not None:
                    yield column, steps[cut + 1 :]

    def _find_column(self, name: str) -> Value | None:
        for source in self.sources:
            value = source.relation.find(name)
            if value is not None:
                return value
        return None

    def _find_variable(self, steps: Sequence[str]) -> Value | None:
        value = self.variables.get(steps[0].casefold())
        for step in steps[1:]:
            value = look_into(value, step) if value else None
        return value

    def _find_open(self, steps: Sequence[str]) -> Value | None:
        """A column that an open source may have."""
        qualifier = ".".join(steps[:-1])
        candidates = [
            source for source in self.sources if not qualifier or source.is_called(qualifier)
        ]
        is_pseudo = steps[-1].casefold() in self.statement.rules.pseudo_columns and bool(candidates)
        if is_pseudo:
            return Open()
        made: list[Value] = []
        for source in candidates:
            made += [value for name, value in source.relation.columns if not name]
            if source.relation.element is not None:
                made.append(source.relation.element)
        is_open = any(source.relation.may_have_more for source in candidates)
        is_inside = any(
            source.relation.may_have_more and source.is_called(steps[0]) for source in self.sources
        )
        return Open(tuple(made)) if is_open or is_inside else None


def rules_of(dialect: str) -> Dialect:
    """Rules of a dialect; defaults for an unknown one."""
    if dialect == _SQLITE.name:
        return _SQLITE
    return find_dialect(dialect) or Dialect(name=dialect)


# Warehouses fold ASCII; others differ, so non-ASCII case is significant.
_TO_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_TO_UPPER = str.maketrans(ascii_lowercase, ascii_uppercase)


def definition(node: exp.Table, dialect: Dialect, *, is_lenient: bool = False) -> exp.CTE | None:
    """
    The CTE that a name refers to.

    If lenient, also later CTEs of a recursive clause, and the enclosing one without `recursive`, as
    some warehouses permit.
    """
    if len(node.parts) != 1 or not isinstance(node.this, exp.Identifier):
        return None
    wanted = folded(node.this, dialect)
    below: exp.Expr = node
    while below.parent is not None:
        above = below.parent
        clause = above.args.get("with_")
        if clause is not None:
            for defined in _visible(clause, node, is_lenient=is_lenient):
                if folded(defined.args["alias"].this, dialect) == wanted:
                    return defined
        below = above
    return None


def _visible(clause: exp.With, node: exp.Expr, *, is_lenient: bool) -> Iterator[exp.CTE]:
    """CTEs visible at a node: earlier ones, and itself if recursive."""
    for defined in clause.expressions:
        is_inside = _is_within(node, defined)
        is_recursive = clause.recursive or is_lenient
        if not is_inside or (is_recursive and _is_repeated(node, defined)):
            yield defined
        if is_inside and not (clause.recursive and is_lenient):
            return


def _is_repeated(node: exp.Expr, defined: exp.CTE) -> bool:
    """Whether a node is in the recursive part; elsewhere DuckDB reads a table."""
    query = defined.this.unnest()
    return isinstance(query, exp.Union) and _is_within(node, query.expression)


def _is_within(node: exp.Expr, around: exp.Expr) -> bool:
    above: exp.Expr | None = node
    while above is not None and above is not around:
        above = above.parent
    return above is around


def folded(name: exp.Expr, dialect: Dialect) -> str:
    """A name normalised as the warehouse compares it."""
    if dialect.unquoted_case != "any" and isinstance(name, exp.Identifier) and name.quoted:
        return str(name.name)
    return str(name.name).translate(_TO_UPPER if dialect.unquoted_case == "upper" else _TO_LOWER)


def names_of(node: exp.Table) -> tuple[str, ...]:
    """Parts of a table name."""
    steps: list[str] = []
    for part in node.parts:
        steps += [step.name for step in (part.flatten() if isinstance(part, exp.Dot) else [part])]
    return tuple(steps)
