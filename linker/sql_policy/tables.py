"""
Finds the tables that a statement reads, and qualifies them as in the catalog.

Whether a name is a CTE or a table depends on its position, as in the warehouse.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from sqlglot import exp

from linker.identifiers.table_index import did_you_mean
from linker.sql_analysis.scope import definition, names_of
from linker.sql_policy.allowlist import refused
from linker.sql_policy.visible_tables import MAX_MEMBERS, KnownTable, KnownTables, TableMatch
from linker.types import Record
from linker.warehouses import dialect_of
from linker.warehouses.base.dialect import Dialect

_SYSTEM = re.compile(r"information_schema\.\w+$", re.IGNORECASE)


class WrittenTable(Record, frozen=True):
    """A table as written: name parts and positions."""

    parts: tuple[exp.Expr, ...]
    has_alias: bool
    is_sampled: bool
    # `only`: without child tables.
    is_only: bool
    # Alias in the statement.
    alias: exp.Identifier


class ReadTable(Record, frozen=True):
    """A node that reads a table, with its alias."""

    node: exp.Table
    match: TableMatch
    name: str
    written: WrittenTable

    @property
    def table(self) -> KnownTable:
        """The logical table or system view."""
        return self.match.table


def replace_tables(query: exp.Expr, known: KnownTables) -> list[ReadTable]:
    """Replace all table names by those of the catalog."""
    dialect = dialect_of(known.dialect)
    private: set[str] = set()
    for table in known.tables:
        if table.is_private:
            private.update(name.casefold() for name in table.physical)
    for defined in query.find_all(exp.CTE):
        if defined.alias.casefold() in private:
            # Whatever the warehouse resolves it to must not be the table itself.
            raise refused(
                "forbidden_construct",
                f"it calls a query {defined.alias}, which is a table: call it otherwise",
            )
    tables = [
        _read(node, known)
        for node in list(query.find_all(exp.Table))
        if isinstance(node.this, exp.Identifier | exp.Dot)
        and definition(node, dialect) is None
        and not is_path(node, known.homes, dialect)
    ]
    _check_looked_up(query, tables, known)
    if not known.time_travel:
        _check_past(tables)
    return tables


def _check_past(tables: Iterable[ReadTable]) -> None:
    for read in tables:
        if read.node.args.get("when") or read.node.args.get("version"):
            raise refused(
                "forbidden_construct",
                f"it reads {read.table.ref} as it was in the past",
                hint=(
                    "privacy is that of today's columns: set `time_travel: true` where that is "
                    "enough"
                ),
            )


def _check_looked_up(query: exp.Expr, tables: Sequence[ReadTable], known: KnownTables) -> None:
    """`'t'::regclass` looks up a table by name; `conrelid::regclass` by id."""
    for cast in query.find_all(exp.ObjectIdentifier):
        looked_up = cast.parent.this if cast.parent is not None else None
        if not isinstance(looked_up, exp.Literal):
            if all(read.table.is_system for read in tables):
                continue
            raise refused("forbidden_construct", "it looks tables up by the values of a table")
        name = looked_up.name
        if not known.find(name.replace('"', "").split(".")):
            raise refused("unknown_table", f"there is no table {name}")


def is_path(node: exp.Table, homes: frozenset[str], dialect: Dialect) -> bool:
    """Whether a FROM item is a column path (`from t, t.items`); its columns are checked later."""
    select = node.find_ancestor(exp.Select)
    if not dialect.has_columns_in_from or len(node.parts) < 2 or select is None:
        return False
    first = node.parts[0].name.casefold()
    if first in homes:
        # Whether alias or dataset wins should not matter.
        return False
    for name, source in sources_of(select):
        if source is node:
            return False
        if name == first:
            break
    else:
        return False
    node.meta["path"] = True
    return True


def sources_of(select: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    """FROM items with the names that qualify columns."""
    clause = select.args.get("from_")
    items = [clause.this] if clause else []
    items += [
        *(join.this for join in select.args.get("joins") or ()),
        *(select.args.get("laterals") or ()),
    ]
    while items:
        item = items.pop(0)
        is_nested = isinstance(item, exp.Subquery) and isinstance(
            item.this, exp.Table | exp.Subquery
        )
        inside = [item.this] if is_nested and not item.alias else []
        inside += [join.this for join in item.args.get("joins") or ()]
        items[:0] = [*inside, *(item.args.get("laterals") or ())]
        yield _name(item).casefold(), item


def _name(item: exp.Expr) -> str:
    for pivot in item.args.get("pivots") or ():
        if pivot.alias:
            return str(pivot.alias)
    if item.alias:
        return str(item.alias)
    if isinstance(item, exp.Unnest) and (
        columns := item.args["alias"].columns if item.args.get("alias") else ()
    ):
        # An alias of UNNEST names both a column and a source with its fields.
        return str(columns[0].name)
    return str(item.parts[-1].name) if isinstance(item, exp.Table) else ""


def _read(node: exp.Table, known: KnownTables) -> ReadTable:
    # Some parsers keep information schema names in one identifier.
    steps: list[str] = []
    for part in names_of(node):
        steps += part.split(".") if _SYSTEM.match(part) else [part]
    if view := known.system_view(steps):
        written = _named(node, steps[-1])
        if view.table.ref.schema != "information_schema":
            _qualify(node, view.names)
        return ReadTable(node, view, node.alias, written)
    matches = known.find(steps)
    name = ".".join(steps)
    if not matches:
        raise refused("unknown_table", f"there is no table {name}", _meant(steps, known))
    if len(matches) > 1:
        raise refused(
            "ambiguous_table",
            f"{name} may be any of {', '.join(str(match.table.ref) for match in matches)}",
        )
    return _rewritten(node, matches[0], known)


def _meant(steps: Sequence[str], known: KnownTables) -> str:
    """Suggestions for an unknown table: a family with an unquoted star, or similar names."""
    *qualifiers, name = steps
    if len(families := known.find([*qualifiers, f"{name}*"])) == 1:
        [family] = families
        schema, members = family.table.ref.schema, family.names
        quoted = exp.to_identifier(f"{name}*", quoted=True).sql(known.dialect)
        alternative = f" or {schema}.{quoted}" if len(members) <= MAX_MEMBERS else ""
        return (
            f"{schema}.{name}* stands for {len(members)} tables: write "
            f"{schema}.{members[-1]}{alternative}"
        )
    if views := known.named_like_system_views(steps):
        return f"of the views that tell no values, a probe may read {', '.join(views)}"
    return did_you_mean(known.near(name))


def _rewritten(node: exp.Table, match: TableMatch, known: KnownTables) -> ReadTable:
    """The catalog's name with the original alias."""
    last = node.parts[-1]
    name = node.alias or (
        last.name.rstrip("*") if match.wildcard or len(match.names) > 1 else last.name
    )
    written = _named(node, name)
    database = (known.database,) if known.database else ()
    _qualify(node, (*database, match.table.ref.schema, match.wildcard or match.names[-1]))
    return ReadTable(node, match, name, written)


def _qualify(node: exp.Table, steps: Sequence[str]) -> None:
    for key, step in zip_longest(("this", "db", "catalog"), reversed(steps)):
        node.set(key, exp.to_identifier(step, quoted=True) if step else None)


def _named(node: exp.Table, name: str) -> WrittenTable:
    """The table as written, with an alias added."""
    parts = tuple(node.parts)
    alias = node.args.get("alias") or exp.TableAlias()
    has_alias = alias.this is not None
    if not has_alias:
        is_quoted = isinstance(parts[-1], exp.Identifier) and bool(parts[-1].quoted)
        alias.set("this", exp.to_identifier(name, quoted=is_quoted))
        node.set("alias", alias)
    is_sampled, is_only = bool(node.args.get("sample")), bool(node.args.get("only"))
    return WrittenTable(parts, has_alias, is_sampled, is_only, alias.this)
