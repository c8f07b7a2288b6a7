"""Names in a statement: enter tables and columns, leave them as the warehouse has to read them, quoted where needed."""

import re

from sqlglot import exp
from sqlglot.dialects import Dialect

from linker.sql.simple.families import FAMILY, PLAIN
from linker.sql.simple.names import Names
from linker.types import ColumnRef, TableRef

_MARKS = re.compile(r"[^a-z0-9]+")


class Writing:
    """Writes the names of one statement; a table goes by its own name, the second of that name with a number."""

    def __init__(self, names: Names, dialect: str) -> None:
        self._names, self._dialect = names, dialect
        self._keywords = set(Dialect.get_or_raise(dialect).tokenizer_class.KEYWORDS)
        self._aliases: dict[TableRef, str] = {}

    def table(self, ref: TableRef) -> exp.Table:
        """A table with its schema, and the name that it goes by."""
        written = exp.Table(
            this=self._identifier(ref.name),
            db=self._identifier(ref.schema),
            alias=exp.TableAlias(this=self._identifier(self._alias(ref))),
        )
        written.meta[FAMILY] = ref
        return written

    def column(self, ref: ColumnRef) -> exp.Expr:
        """A column of a table of the statement, or what lies at a path inside of one."""
        column = self._names.all_columns.get(ref)
        if column is None or not column.depth:
            return exp.Column(this=self._identifier(ref.path), table=self._identifier(self._alias(ref.table)))
        top = exp.Column(this=self._identifier(column.column_name), table=self._identifier(self._alias(ref.table)))
        steps = column.path.split(".")[1:]
        outer = self._names.tables[ref.table].table.column_by_path[column.column_name]
        if outer.data_type.upper().startswith(("JSON", "VARIANT")):
            return self._from_json(top, steps, column.data_type)
        return exp.Dot.build([top, *map(self._identifier, steps)])

    def _from_json(self, top: exp.Expr, steps: list[str], kind: str) -> exp.Expr:
        path = exp.JSONPath(expressions=[exp.JSONPathRoot(), *(exp.JSONPathKey(this=step) for step in steps)])
        text = exp.JSONExtractScalar(this=top, expression=path, only_json_types=False)
        is_text = kind.upper().startswith(("TEXT", "VARCHAR", "STRING"))
        return text if is_text else exp.cast(exp.paren(text), kind, dialect=self._dialect)

    def plain(self, name: str) -> str:
        """A name in small letters, to name a result by."""
        return _MARKS.sub("_", name.lower()).strip("_") or "rows"

    def _alias(self, ref: TableRef) -> str:
        if ref not in self._aliases:
            bare = self.plain(ref.name) if ref.name.endswith("*") else ref.name
            taken = {name.casefold() for name in self._aliases.values()}
            number, alias = 1, bare
            while alias.casefold() in taken:
                number += 1
                alias = f"{bare}_{number}"
            self._aliases[ref] = alias
        return self._aliases[ref]

    def _identifier(self, name: str) -> exp.Identifier:
        is_plain = bool(PLAIN.fullmatch(name)) and name.upper() not in self._keywords
        return exp.to_identifier(name, quoted=not is_plain)
