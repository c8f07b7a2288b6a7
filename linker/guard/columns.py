"""
Columns of a statement: enters its tree and tables, refuses what is unknown, hidden, or masked and
used otherwise.

Hidden columns do not reach a statement even so (`linker.guard.private`); here the reason is given,
and where they would have been taken for something else. Where `t.f` may be a call of `f(t)`, a name
has to be that of a column. Counting a masked column, testing it for null, sorting and grouping by
it and handing it on tell no value: they work on a mark. Comparing it with texts that the statement
holds tells whether they are there, and no more.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sqlglot import exp

from linker.guard.known import HIDE, MASKED
from linker.guard.listed import listed, refused
from linker.guard.masks import NONE, HandedOn, Masks, check_marks, is_outermost
from linker.guard.outputs import Outputs, OutputSource
from linker.guard.tables import ReadTable, names_of
from linker.warehouses.base.dialect import Dialect

# What a query may stand in without being a value.
_AROUND_QUERIES = (
    *(
        exp.Query,
        exp.From,
        exp.Join,
        exp.Lateral,
        exp.CTE,
        exp.Exists,
        exp.Pivot,
        exp.Describe,
        exp.Summarize,
    ),
)
_ROW_FUNCTIONS = ("count", "to_json", "to_jsonb", "row_to_json")


def check_columns(
    query: exp.Expr, tables: Sequence[ReadTable], dialect: Dialect
) -> dict[int, dict[str, list[str]]]:
    """Texts that masked columns are compared with, by table (its node) and column."""
    checker = _Checker(tables, dialect)
    for node in list(query.find_all(exp.Column, exp.Dot, exp.Join, exp.Table, exp.Query)):
        if isinstance(node, exp.Query):
            checker.check_query(node)
        elif isinstance(node, exp.Column):
            checker.check_column(node)
        elif isinstance(node, exp.Dot):
            checker.check_dot(node)
        elif isinstance(node, exp.Join):
            checker.check_join(node)
        elif isinstance(node, exp.Table) and node.meta.get("path"):
            checker.check_path(node)
    check_marks(query, checker.handed)
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
        self._hidden = {
            name: f"{read.known.ref}.{name}"
            for read in tables
            for name, level in read.known.columns.items()
            if level == HIDE
        }
        self.handed = HandedOn(self._outputs, self._find, dialect)

    def check_column(self, column: exp.Column) -> None:
        """A name with or without dots."""
        if isinstance(column.this, exp.Star) or isinstance(column.parent, exp.UnpivotColumns):
            return
        steps = [part.name.casefold() for part in column.parts]
        if (source := self._find(steps, column)) is None:
            self._refuse(steps)
            return
        masks = self.handed.of_name(steps, column)
        if masks:
            self._push(
                compared_texts(
                    column, min(mask.ref for mask in masks), is_row=source.is_row(steps[-1])
                ),
                masks,
            )

    def check_query(self, query: exp.Query) -> None:
        """A query in the place of a value, or of a list of values."""
        around = query.parent
        if around is None or isinstance(around, _AROUND_QUERIES):
            return
        masks = self.handed.of_query(query).all
        if isinstance(around, exp.In) and query.arg_key == "query" and masks:
            self._push(_texts([around.this], min(mask.ref for mask in masks)), masks)
        elif masks:
            self._push(compared_texts(query, min(mask.ref for mask in masks)), masks)

    def _push(self, texts: Sequence[str], masks: Masks) -> None:
        """Let the tables below tell which of their values are these texts."""
        for mask in masks:
            self.compared[mask.node][mask.column].extend(texts)
            self._texts_by_column[mask.ref].update(texts)
            if len(self._texts_by_column[mask.ref]) > 10:
                raise refused("masked_column", f"{mask.ref} is compared with more than ten texts")

    def check_dot(self, dot: exp.Dot) -> None:
        """A call or a field behind a dot."""
        base = dot.this
        has_methods = self._dialect.probe_functions.namespaces is None
        if (
            isinstance(base, exp.Identifier)
            and isinstance(dot.expression, exp.Func)
            and has_methods
        ):
            self.check_column_of(base)
        if self._dialect.may_call_behind_dots and isinstance(dot.expression, exp.Identifier):
            name = dot.expression.name.casefold()
            if (
                not isinstance(base, exp.Identifier)
                and name not in self._stored
                and name not in ("key", "value")
            ):
                raise refused("unknown_column", f"there is no column {name}")

    def check_column_of(self, base: exp.Identifier) -> None:
        """The value that a method is called on."""
        if self._find([base.name.casefold()], base) is None:
            reason = f"`{base.name}` is no column, and functions of a schema may not be called"
            raise refused(
                "hidden_column" if base.name.casefold() in self._hidden else "forbidden_function",
                reason,
            )
        for mask in self.handed.of_name([base.name.casefold()], base):
            raise refused("masked_column", f"{mask.ref} is masked")

    def check_path(self, path: exp.Table) -> None:
        """
        A source of a `from` that is a column of one before it: what is no column would be a table.
        """
        steps = [name.casefold() for name in names_of(path)]
        if self._find(steps, path) is None:
            self._refuse(steps, "unknown_table", "table")

    def check_join(self, join: exp.Join) -> None:
        """The columns that `using` and `natural` compare."""
        around = join.find_ancestor(exp.Select)
        parts = [
            self.handed.of_source(source)
            for source in (self._outputs.around(around) if around else ())
        ]
        names = [name.name.casefold() for name in join.args.get("using") or ()]
        for name in names:
            if name in self._hidden:
                raise refused("hidden_column", f"{self._hidden[name]} is hidden")
        for part in parts:
            compared = part.all if join.method == "NATURAL" else NONE.union(*map(part.named, names))
            for mask in compared:
                raise refused("masked_column", f"{mask.ref} is masked, and a join compares it")

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
                if (
                    is_clause
                    and is_own
                    and (value := self._outputs.given(outer, steps[0])) is not None
                ):
                    return OutputSource(value=value)
                is_own = is_own and not isinstance(outer, exp.Select)
            below, outer = outer, outer.parent
        return OutputSource() if self._is_no_column(steps, node) else None

    def _find_here(
        self, steps: Sequence[str], node: exp.Expr, around: exp.Expr
    ) -> OutputSource | None:
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

    def _checked_row(
        self, source: OutputSource, steps: Sequence[str], node: exp.Expr
    ) -> OutputSource:
        is_row = len(steps) == 1 and source.is_row(steps[0])
        if is_row and self._dialect.may_call_behind_dots:
            around = node.parent
            name = (
                around.name if isinstance(around, exp.Anonymous) else around.key if around else ""
            )
            if name.casefold() not in _ROW_FUNCTIONS and not isinstance(
                around, exp.Count | exp.JSONFormat
            ):
                raise refused(
                    "forbidden_construct", f"it uses the whole row `{steps[0]}`: name its columns"
                )
        return source

    def _is_no_column(self, steps: Sequence[str], node: exp.Expr) -> bool:
        if steps[-1] in self._dialect.probed_pseudo_columns:
            return True
        around = node.parent
        if len(steps) > 1 or around is None:
            return False
        if isinstance(around, exp.Ordered | exp.Group) and steps[0] == "all":
            return True
        is_unit = isinstance(around, exp.Func | exp.Interval | exp.Var) and steps[0] in listed(
            "units"
        )
        return is_unit and self._dialect.has_bare_units

    def _refuse(
        self, steps: Sequence[str], code: str = "unknown_column", what: str = "column"
    ) -> None:
        for step in steps:
            if step in self._hidden:
                raise refused("hidden_column", f"{self._hidden[step]} is hidden")
        raise refused(code, f"there is no {what} {'.'.join(steps)}")


def _parameters(function: exp.Expr) -> set[str]:
    named: Sequence[exp.Expr] = function.expressions
    if isinstance(function, exp.Comprehension):
        named = [function.expression] if function.expression else []
    return {parameter.name.casefold() for parameter in named}


def compared_texts(place: exp.Expr, ref: str, *, is_row: bool = False) -> list[str]:
    """
    The texts; raises for any use that would tell a value, or be answered by marks as if they were
    values.
    """
    while isinstance(place.parent, exp.Paren):
        place = place.parent
    around = place.parent
    if isinstance(around, exp.EQ | exp.NEQ):
        return _texts([around.expression if around.this is place else around.this], ref)
    if isinstance(around, exp.In) and around.this is place and around.expressions:
        return _texts(around.expressions, ref)
    if around is None or not _is_on_marks(place, around, is_row=is_row):
        raise refused("masked_column", f"{ref} is masked")
    return []


def _is_on_marks(place: exp.Expr, around: exp.Expr, *, is_row: bool) -> bool:
    """Tell whether marks serve as well as values there, or are shown instead of them."""
    match around:
        case exp.Count() | exp.Select():
            return True
        case exp.Alias():
            return isinstance(around.parent, exp.Select)
        case exp.Is():
            return isinstance(around.expression, exp.Null)
        case exp.Group() | exp.Ordered():
            return _is_shown(place, around)
        case exp.Func():
            return is_row and _is_item(around)
    return False


def _is_shown(place: exp.Expr, clause: exp.Expr) -> bool:
    """Tell whether the statement shows the marks that it groups or sorts by."""
    order = clause.parent if isinstance(clause, exp.Ordered) else clause
    query = order.parent if order is not None else None
    if not isinstance(query, exp.Query) or not is_outermost(query):
        return False
    names = {name.casefold() for item in query.selects for name in (item.alias, item.name)}
    return query.is_star or place.name.casefold() in names


def _is_item(function: exp.Expr) -> bool:
    """Tell whether the statement shows what a function gives."""
    item = function.parent if isinstance(function.parent, exp.Alias) else function
    return (
        item.parent is not None
        and isinstance(item.parent, exp.Select)
        and is_outermost(item.parent)
    )


def _texts(values: Iterable[exp.Expr], ref: str) -> list[str]:
    """Plain texts and numbers; a number becomes a text, as the masked column is one."""
    texts = []
    for value in values:
        if not isinstance(value, exp.Literal):
            raise refused(
                "masked_column", f"{ref} is masked, and is compared with something else than a text"
            )
        if not value.is_string and not value.name.isdecimal():
            raise refused(
                "masked_column", f"{ref} is masked, and is compared with a number that is not whole"
            )
        if value.name == MASKED:
            raise refused(
                "masked_column", f"{ref} is masked, and is compared with the mark for that"
            )
        value.set("is_string", True)
        texts.append(value.name)
    return texts
