"""
Columns of a statement: enters its tree and tables, refuses what is unknown, hidden, or masked and used otherwise.

Hidden columns do not reach a statement even so (`linker.guard.private`); here the reason is given, and where they would
have been taken for something else. Where `t.f` may be a call of `f(t)`, a name has to be that of a column.
Counting a masked column, testing it for null, sorting and grouping by it and handing it on tell no value: they work on
a mark. Comparing it with texts that the statement holds tells whether they are there, and no more.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sqlglot import exp

from linker.guard.allowed import refused
from linker.guard.known import HIDE, MASK, MASKED
from linker.guard.outputs import Outputs, OutputSource
from linker.guard.tables import ReadTable, names_of
from linker.warehouses.base.dialect import Dialect, words

_ROW_FUNCTIONS = ("count", "to_json", "to_jsonb", "row_to_json")
_UNITS = words(
    """
    microsecond millisecond second minute hour day dayofweek dayofyear week isoweek month quarter year isoyear date
    time epoch decade century seconds minutes hours days weeks months quarters years dow doy
    """
)


def check_columns(query: exp.Expr, tables: Sequence[ReadTable], dialect: Dialect) -> dict[int, dict[str, list[str]]]:
    """Texts that masked columns are compared with, by table (its node) and column."""
    checker = _Checker(tables, dialect)
    for node in list(query.find_all(exp.Column, exp.Dot, exp.Join, exp.Table)):
        if isinstance(node, exp.Column):
            checker.check_column(node)
        elif isinstance(node, exp.Dot):
            checker.check_dot(node)
        elif isinstance(node, exp.Join):
            checker.check_join(node)
        elif isinstance(node, exp.Table) and node.meta.get("path"):
            checker.check_path(node)
    return checker.compared


class _Checker:
    """Looks names up, from the inside of a statement to its outside."""

    def __init__(self, tables: Sequence[ReadTable], dialect: Dialect) -> None:
        self.compared: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._texts_by_column: dict[str, set[str]] = defaultdict(set)
        self._tables = tables
        self._dialect = dialect
        self._outputs = Outputs(tables, dialect)
        self._stored = {name for read in tables for name in read.known.columns}
        self._hidden = self._private(HIDE)
        self._masked = self._private(MASK)

    def _private(self, privacy: str) -> dict[str, str]:
        return {
            name: f"{read.known.ref}.{name}"
            for read in self._tables
            for name, level in read.known.columns.items()
            if level == privacy
        }

    def check_column(self, column: exp.Column) -> None:
        """A name with or without dots."""
        if isinstance(column.this, exp.Star):
            return
        steps = [part.name.casefold() for part in column.parts]
        source = self._find(steps, column)
        if source is None:
            self._refuse(steps)
            return
        place = next((at for at, step in enumerate(steps) if step in source.masked), None)
        if place is not None and source.read is not None:
            ref = source.masked[steps[place]]
            texts = compared_texts(column, ref)
            self.compared[id(source.read.node)][steps[place]].extend(texts)
            self._texts_by_column[ref].update(texts)
            if len(self._texts_by_column[ref]) > 10:
                raise refused("masked_column", f"{ref} is compared with more than ten texts")

    def check_dot(self, dot: exp.Dot) -> None:
        """A call or a field behind a dot."""
        base = dot.this
        has_methods = self._dialect.probe_functions.namespaces is None
        if isinstance(base, exp.Identifier) and isinstance(dot.expression, exp.Func) and has_methods:
            self.check_column_of(base)
        if self._dialect.may_call_behind_dots and isinstance(dot.expression, exp.Identifier):
            name = dot.expression.name.casefold()
            if not isinstance(base, exp.Identifier) and name not in self._stored and name not in ("key", "value"):
                raise refused("unknown_column", f"there is no column {name}")

    def check_column_of(self, base: exp.Identifier) -> None:
        """The value that a method is called on."""
        if self._find([base.name.casefold()], base) is None:
            reason = f"`{base.name}` is no column, and functions of a schema may not be called"
            raise refused("hidden_column" if base.name.casefold() in self._hidden else "forbidden_function", reason)
        if base.name.casefold() in self._masked:
            raise refused("masked_column", f"{self._masked[base.name.casefold()]} is masked")

    def check_path(self, path: exp.Table) -> None:
        """A source of a `from` that is a column of one before it: what is no column would be a table."""
        steps = [name.casefold() for name in names_of(path)]
        if self._find(steps, path) is None:
            self._refuse(steps, "unknown_table", "table")

    def check_join(self, join: exp.Join) -> None:
        """The columns that `using` and `natural` compare."""
        for name in join.args.get("using") or ():
            self._refuse_private(name.name.casefold())
        if join.method == "NATURAL" and self._masked:
            raise refused(
                "masked_column", f"a natural join compares {next(iter(self._masked.values()))}, which is masked"
            )

    def _refuse_private(self, name: str) -> None:
        if name in self._hidden:
            raise refused("hidden_column", f"{self._hidden[name]} is hidden")
        if name in self._masked:
            raise refused("masked_column", f"{self._masked[name]} is masked, and a join compares it")

    def _find(self, steps: Sequence[str], node: exp.Expr) -> OutputSource | None:
        """The source that a name leads to; an empty one for what is no column of a source."""
        below, outer, is_own = node, node.parent, True
        while outer is not None:
            if isinstance(outer, exp.Lambda | exp.Comprehension) and steps[0] in _parameters(outer):
                return OutputSource()
            # A query of a `with` sees nothing of the query that it is written for.
            if below.arg_key != "with_":
                found = self._find_here(steps, node, outer)
                if found is not None:
                    return found
                is_clause = below.arg_key not in ("from_", "joins", "laterals")
                if is_clause and is_own and steps[0] in self._outputs.aliases(outer):
                    return OutputSource()
                is_own = is_own and not isinstance(outer, exp.Select)
            below, outer = outer, outer.parent
        return OutputSource() if self._is_no_column(steps, node) else None

    def _find_here(self, steps: Sequence[str], node: exp.Expr, around: exp.Expr) -> OutputSource | None:
        sources = [source for source in self._outputs.around(around) if not source.is_around(node)]
        for source in sources:
            if source.columns is not None and source.holds(steps):
                return self._checked_row(source, steps, node)
        for source in sources:
            name = next((step for step in steps if step in source.hidden), "")
            if name and source.holds_hidden(steps):
                raise refused("hidden_column", f"{source.hidden[name]} is hidden")
        found = next((source for source in sources if source.holds(steps)), None)
        if found is None and len(steps) > 1 and any(steps[0] in source.names for source in sources):
            # The nearest source of that name is the one that is meant.
            self._refuse(steps)
        return found

    def _checked_row(self, source: OutputSource, steps: Sequence[str], node: exp.Expr) -> OutputSource:
        is_row = len(steps) == 1 and source.is_row(steps[0])
        if is_row and self._dialect.may_call_behind_dots:
            around = node.parent
            name = around.name if isinstance(around, exp.Anonymous) else around.key if around else ""
            if name.casefold() not in _ROW_FUNCTIONS and not isinstance(around, exp.Count | exp.JSONFormat):
                raise refused("forbidden_construct", f"it uses the whole row `{steps[0]}`: name its columns")
        return source

    def _is_no_column(self, steps: Sequence[str], node: exp.Expr) -> bool:
        if steps[-1] in self._dialect.probed_pseudo_columns:
            return True
        around = node.parent
        if len(steps) > 1 or around is None:
            return False
        if isinstance(around, exp.Ordered | exp.Group) and steps[0] == "all":
            return True
        is_unit = isinstance(around, exp.Func | exp.Interval | exp.Var) and steps[0] in _UNITS
        return is_unit and self._dialect.has_bare_units

    def _refuse(self, steps: Sequence[str], code: str = "unknown_column", what: str = "column") -> None:
        for step in steps:
            if step in self._hidden:
                raise refused("hidden_column", f"{self._hidden[step]} is hidden")
        raise refused(code, f"there is no {what} {'.'.join(steps)}")


def _parameters(function: exp.Expr) -> set[str]:
    named: Sequence[exp.Expr] = function.expressions
    if isinstance(function, exp.Comprehension):
        named = [function.expression] if function.expression else []
    return {parameter.name.casefold() for parameter in named}


def compared_texts(column: exp.Column, ref: str) -> list[str]:
    """The texts; raises for any use that would tell a value, or be answered by marks as if they were values."""
    place: exp.Expr = column
    while isinstance(place.parent, exp.Paren):
        place = place.parent
    around = place.parent
    match around:
        case exp.Count() | exp.Group() | exp.Ordered() | exp.Select():
            return []
        case exp.Alias() if isinstance(around.parent, exp.Select):
            return []
        case exp.Is() if isinstance(around.expression, exp.Null):
            return []
        case exp.EQ() | exp.NEQ():
            other = around.expression if around.this is place else around.this
            return _texts([other], ref)
        case exp.In() if around.this is place and around.expressions and not around.args.get("query"):
            return _texts(around.expressions, ref)
    raise refused("masked_column", f"{ref} is masked")


def _texts(values: Iterable[exp.Expr], ref: str) -> list[str]:
    """Plain texts and numbers; a number becomes a text, as the masked column is one."""
    texts = []
    for value in values:
        if not isinstance(value, exp.Literal):
            raise refused("masked_column", f"{ref} is masked, and is compared with something else than a text")
        if value.name == MASKED:
            raise refused("masked_column", f"{ref} is masked, and is compared with the mark for that")
        value.set("is_string", True)
        texts.append(value.name)
    return texts
