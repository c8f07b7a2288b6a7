"""
Checks columns of a statement: refuses unknown and hidden ones, and masked ones whose use would leak
a value.

Hidden columns are also removed by `linker.sql_policy.pii_rewrite`; this check gives the reason, and
catches names that would resolve to something else. Where `t.f` may be a call of `f(t)`, a name must
be a column. Counting, null tests, sorting, grouping and projecting a masked column leak nothing,
since they see a mark. Comparison with a literal reveals only whether that literal occurs.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn

from sqlglot import exp

from linker.identifiers.table_index import close, did_you_mean
from linker.sql_analysis.collected_reads import Reading
from linker.sql_analysis.names import steps_in
from linker.sql_analysis.queries import read_names
from linker.sql_analysis.scope import names_of
from linker.sql_analysis.values import COMPUTED, Hidden, Open, Value, WholeRow
from linker.sql_policy.allowlist import refused
from linker.sql_policy.pii_rewrite import (
    MaskedUses,
    Masks,
    check_marks,
    is_outermost,
    made_by,
    masks_around,
    masks_called,
    masks_in,
    masks_of,
    relation_of,
)
from linker.sql_policy.tables import ReadTable
from linker.sql_policy.visible_tables import HIDE, MASKED
from linker.warehouses.base.dialect import Dialect

# Nodes around a query that is not a value.
_AROUND_QUERIES = (
    exp.Query,
    exp.From,
    exp.Join,
    exp.Lateral,
    exp.CTE,
    exp.Exists,
    exp.Pivot,
    exp.Describe,
    exp.Summarize,
)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ)
_MAX_NEAR = 3
_NEAR = 0.6
_ROW_FUNCTIONS = ("count", "to_json", "to_jsonb", "row_to_json", "jsonarrayagg", "jsonb_agg")
# Functions that display a whole row, marks included; sqlglot names.
_SHOW_ROWS = (
    *_ROW_FUNCTIONS,
    "arrayagg",
    "cast",
    "explode",
    "json_agg",
    "jsonformat",
    "list",
    "structextract",
    "struct_extract",
    "tojson",
    "trycast",
    "unnest",
)


def check_columns(query: exp.Expr, tables: Sequence[ReadTable], dialect: Dialect) -> MaskedUses:
    """Checks all columns; returns uses of masked ones other than showing marks."""
    checker = _Checker(query, tables, dialect)
    for node in list(query.find_all(exp.Column, exp.Dot, exp.Join, exp.Table)):
        if isinstance(node, exp.Column):
            checker.check_column(node)
        elif isinstance(node, exp.Dot):
            checker.check_dot(node)
        elif isinstance(node, exp.Join):
            checker.check_join(node)
        elif isinstance(node, exp.Table) and node.meta.get("path"):
            checker.check_path(node)
    for query_ in list(query.find_all(exp.Query)):
        checker.check_query(query_)
    check_marks(query, checker.reading)
    _check_positions(query, tables)
    checker.uses.masks |= _returned(query, checker.reading)
    return checker.uses


def _returned(query: exp.Expr, reading: Reading) -> Masks:
    """Masked columns in the result, and in what `columns()` and `summarize` take."""
    described = [node.this for node in query.find_all(exp.Describe, exp.Summarize)]
    returned = masks_of(*(made_by(part, reading) for part in (query, *described)))
    matching = [reading.values.get(id(node)) or COMPUTED for node in query.find_all(exp.Columns)]
    return returned | masks_in(*matching)


def check_plan(uses: MaskedUses) -> None:
    """
    Refuse EXPLAIN for statements that compare or count masked columns: plans reveal statistics,
    such as whether a text is within the range.
    """
    for column in sorted(uses.columns_compared.union(*uses.counted.values())):
        raise refused(
            "masked_column", f"{column} is masked, and a plan shows statistics of its values"
        )


def _check_positions(query: exp.Expr, tables: Sequence[ReadTable]) -> None:
    """
    Refuse positional references (`#2`, `as t(a, b)`) to tables with hidden columns, which shift
    them.
    """
    for read in tables:
        counts = query.find(exp.PositionalColumn) and read.table.is_private
        alias = read.node.args.get("alias")
        renamed = len(alias.columns) if alias is not None else 0
        if counts or HIDE in list(read.table.privacy.values())[:renamed]:
            raise refused(
                "forbidden_construct",
                f"it counts columns by their place, and not all of {read.table.ref} are seen",
                hint="write the names of the columns",
            )


class _Checker:
    """Checks names from inner to outer queries."""

    def __init__(self, query: exp.Expr, tables: Sequence[ReadTable], dialect: Dialect) -> None:
        self.uses = MaskedUses()
        self._texts_by_column: dict[str, set[str]] = defaultdict(set)
        self._dialect = dialect
        opened = {id(read.node): relation_of(read) for read in tables}
        self._stored: set[str] = set()
        self._hidden: dict[str, str] = {}
        for read in tables:
            self._stored.update(read.table.privacy_by_folded_name())
            self._hidden |= opened[id(read.node)].hidden
        self.reading = read_names(query, opened, dialect.name)

    def check_column(self, column: exp.Column) -> None:
        """A column, qualified or not."""
        if isinstance(column.this, exp.Star) or isinstance(column.parent, exp.UnpivotColumns):
            return
        steps = [part.name.casefold() for part in column.parts]
        value = self._found(column, steps)
        is_row = isinstance(value, WholeRow) and len(steps) == 1
        if is_row and self._dialect.may_call_behind_dots:
            _check_row(column, steps[0])
        masks = masks_in(value)
        self.uses.masks |= masks
        if masks and not is_row and self._is_profiled_count(column):
            for mask in masks:
                self.uses.counted[mask.node].add(mask.column)
        elif masks:
            ref = min(mask.ref for mask in masks)
            self._push(literals_compared_with(column, ref, is_row=is_row), masks)

    @staticmethod
    def _is_profiled_count(column: exp.Column) -> bool:
        """Whether it is exactly `select count(distinct c) from t`, which profiles reveal anyway."""
        distinct = column.parent
        if not isinstance(distinct, exp.Distinct):
            return False
        count = distinct.parent
        item = count.parent if isinstance(count, exp.Count) else None
        select = item.parent if isinstance(item, exp.Alias) else item
        if not isinstance(select, exp.Select) or select.parent is not None:
            return False
        clauses = {key for key, value in select.args.items() if value}
        table = select.args["from_"].this if "from_" in clauses else None
        return (
            clauses <= {"expressions", "from_", "kind"}
            and isinstance(table, exp.Table)
            and not table.args.get("joins")
            and not table.args.get("sample")
            and len(distinct.expressions) == 1
            and all(isinstance(entry.unalias(), exp.Count) for entry in select.expressions)
            and all(
                isinstance(entry.parent, exp.Distinct | exp.Count)
                for entry in select.find_all(exp.Column)
            )
        )

    def check_query(self, query: exp.Query) -> None:
        """A scalar or IN sub-query."""
        around = query.parent
        if around is None or isinstance(around, _AROUND_QUERIES):
            return
        masks = masks_of(made_by(query, self.reading))
        self.uses.masks |= masks
        if isinstance(around, exp.In) and query.arg_key == "query" and masks:
            self._push(_texts([around.this], min(mask.ref for mask in masks)), masks)
        elif masks:
            self._push(literals_compared_with(query, min(mask.ref for mask in masks)), masks)

    def _push(self, texts: Sequence[str], masks: Masks) -> None:
        """Register compared texts at the tables below."""
        for mask in masks:
            self.uses.compared[mask.node][mask.column].extend(texts)
            self._texts_by_column[mask.ref].update(texts)
            if len(self._texts_by_column[mask.ref]) > 10:
                raise refused("masked_column", f"{mask.ref} is compared with more than ten texts")

    def check_dot(self, dot: exp.Dot) -> None:
        """A method call or field access."""
        base = dot.this
        has_methods = self._dialect.probe_functions.namespaces is None
        if isinstance(dot.expression, exp.Func) and has_methods and steps_in(base):
            self._check_called_on(base)
        if self._dialect.may_call_behind_dots and isinstance(dot.expression, exp.Identifier):
            name = dot.expression.name.casefold()
            if (
                not isinstance(base, exp.Identifier)
                and name not in self._stored
                and name not in ("key", "value")
            ):
                raise refused("unknown_column", f"there is no column {name}")

    def _check_called_on(self, base: exp.Expr) -> None:
        """The object of a method call."""
        steps = [step.casefold() for step in steps_in(base)]
        value = self.reading.values.get(id(base))
        if isinstance(value, Hidden):
            raise refused("hidden_column", f"{value.name} is hidden")
        if value is None:
            code = "hidden_column" if self._hidden.keys() & steps else "forbidden_function"
            name = ".".join(steps)
            raise refused(
                code, f"`{name}` is no column, and functions of a schema may not be called"
            )
        for mask in masks_in(value):
            raise refused("masked_column", f"{mask.ref} is masked")

    def check_path(self, path: exp.Table) -> None:
        """A FROM path: it must be a column of an earlier source, or it would be a table."""
        steps = [name.casefold() for name in names_of(path)]
        self._found(path, steps, "unknown_table", "table")

    def check_join(self, join: exp.Join) -> None:
        """Columns of `using` and `natural`."""
        around = join.find_ancestor(exp.Select)
        sources = self.reading.sources.get(id(around), ())
        names = [name.name.casefold() for name in join.args.get("using") or ()]
        for name in names:
            if name in self._hidden:
                raise refused("hidden_column", f"{self._hidden[name]} is hidden")
        compared = masks_around(sources) if join.method == "NATURAL" else frozenset()
        for source in sources:
            compared = compared.union(*(masks_called(name, source.relation) for name in names))
        for mask in compared:
            raise refused("masked_column", f"{mask.ref} is masked, and a join compares it")

    def _found(
        self,
        node: exp.Expr,
        steps: Sequence[str],
        code: str = "unknown_column",
        what: str = "column",
    ) -> Value:
        """The value of a name; GuardError if hidden or unknown."""
        value = self.reading.values.get(id(node))
        if isinstance(value, Hidden):
            raise refused("hidden_column", f"{value.name} is hidden")
        if value is None or (isinstance(value, Open) and not self._may_be_guessed(steps)):
            self._refuse(steps, code, what)
        return value

    def _may_be_guessed(self, steps: Sequence[str]) -> bool:
        """Whether an unlisted name can only be a column."""
        if steps[-1] in self._dialect.pseudo_columns:
            return len(steps) == 1 and steps[-1] in self._dialect.probed_pseudo_columns
        return not self._dialect.may_call_behind_dots

    def _refuse(
        self, steps: Sequence[str], code: str = "unknown_column", what: str = "column"
    ) -> NoReturn:
        for step in steps:
            if step in self._hidden:
                raise refused("hidden_column", f"{self._hidden[step]} is hidden")
        visible = [name for name in self._stored if name not in self._hidden]
        near = close(steps[-1], visible, _MAX_NEAR, _NEAR)
        raise refused(code, f"there is no {what} {'.'.join(steps)}", did_you_mean(near))


def _check_row(row: exp.Column, name: str) -> None:
    """Refuse a whole row where user-defined functions could take it."""
    around = row.parent
    is_harmless = _function_name(around or row) in _ROW_FUNCTIONS
    if not is_harmless and not isinstance(around, exp.Count | exp.JSONFormat):
        raise refused("forbidden_construct", f"it uses the whole row `{name}`: name its columns")


def _function_name(function: exp.Expr) -> str:
    return (function.name if isinstance(function, exp.Anonymous) else function.key).casefold()


def literals_compared_with(masked: exp.Expr, ref: str, *, is_row: bool = False) -> list[str]:
    """
    Literals compared with a masked column; GuardError for uses that reveal a value or would treat
    marks as values.
    """
    while isinstance(masked.parent, exp.Paren):
        masked = masked.parent
    around = masked.parent
    if isinstance(around, _COMPARISONS):
        return _texts([around.expression if around.this is masked else around.this], ref)
    if isinstance(around, exp.In) and around.this is masked and around.expressions:
        return _texts(around.expressions, ref)
    if around is None or not _is_on_marks(masked, around, is_row=is_row):
        raise refused("masked_column", f"{ref} is masked")
    return []


def _is_on_marks(masked: exp.Expr, around: exp.Expr, *, is_row: bool) -> bool:
    """Whether marks suffice there, or are shown."""
    match around:
        case exp.Count() | exp.Select():
            return True
        case exp.Alias():
            return isinstance(around.parent, exp.Select)
        case exp.Is():
            return isinstance(around.expression, exp.Null)
        case exp.Group() | exp.Ordered():
            return _is_shown(masked, around)
        case exp.Func():
            return is_row and _function_name(around) in _SHOW_ROWS and _is_item(around)
    return False


def _is_shown(masked: exp.Expr, clause: exp.Expr) -> bool:
    """Whether the grouped or sorted marks are in the output."""
    order = clause.parent if isinstance(clause, exp.Ordered) else clause
    query = order.parent if order is not None else None
    if not isinstance(query, exp.Query) or not is_outermost(query):
        return False
    name = masked.name.casefold()
    is_item = any(name in (item.alias.casefold(), item.name.casefold()) for item in query.selects)
    return query.is_star or is_item


def _is_item(function: exp.Expr) -> bool:
    """Whether a function's result is in the output."""
    item = function.parent if isinstance(function.parent, exp.Alias) else function
    return (
        item.parent is not None
        and isinstance(item.parent, exp.Select)
        and is_outermost(item.parent)
    )


def _in_list(values: Iterable[exp.Expr]) -> Iterator[exp.Expr]:
    """Values, with array literals expanded: `= any (array['a', 'b'])`."""
    for value in values:
        inside = value.this.unnest() if isinstance(value, exp.Any | exp.All) else None
        if isinstance(inside, exp.Array):
            yield from inside.expressions
        else:
            yield value


def _texts(values: Iterable[exp.Expr], ref: str) -> list[str]:
    """Literals as texts; numbers are converted, as masked columns are text."""
    texts = []
    for value in _in_list(values):
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
