"""MCP tool `join_path`: join paths with their measured cardinality, fan-out and alternatives."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations

from linker.catalog.column_metadata import KeyPair
from linker.catalog.description import column_name
from linker.catalog.snapshot import ProfiledCatalog
from linker.environment import Environment
from linker.errors import LinkerError
from linker.linking.mschema import JoinedTables, join_tables
from linker.linking.result import BY_NAME, Join
from linker.ranking.near_duplicates import originals
from linker.serve.column_text import FIGURES, ToolResponse
from linker.serve.tool_errors import NameResolver, all_failed, sentence
from linker.serve.tools_list import successors
from linker.text.escaping import escape_invisible
from linker.types import ColumnRef, TableRef

_SURE_OVERLAP = 0.95
# Cardinality of a key to the row that it leads to.
_OF_ONE_ROW = ("n:1", "1:1")
# Foreign keys that follow each other, and paths in a line.
_MAX_JOINS = 3
_MAX_PATHS = 3

Path = tuple[KeyPair, ...]


def join_path(environment: Environment, tables: Sequence[str]) -> ToolResponse:
    """Key pairs that connect tables, through others if needed, with evidence."""
    names, refs, lines = NameResolver(environment), dict[TableRef, None](), list[str]()
    failures = list[LinkerError]()
    for name in tables:
        try:
            ref = names.table(name)
        except LinkerError as error:
            failures.append(error)
            lines.append(sentence(error))
            continue
        lines += names.correction(name, ref)
        refs[ref] = None
    if failures and len(refs) < 2:
        raise all_failed(failures)
    joined = join_tables([*refs], environment)
    joins, saved = _over_shared_keys(joined)
    lines += map(_pair_line, joins)
    lines += _cautions(environment, joined.joins) if len(refs) > 1 else []
    lines += [f"nothing joins {column_name(str(ref))} to the others" for ref in joined.apart]
    between = [column_name(str(ref)) for ref in joined.between if ref not in saved]
    lines += [f"in between: {', '.join(between)}"] if between else []
    lines += alternatives(environment, [*refs])
    return ToolResponse(tuple(dict.fromkeys(lines)))


def _over_shared_keys(found: JoinedTables) -> tuple[list[Join], set[TableRef]]:
    """
    Joins in which two keys that lead to the same columns are compared directly, and the tables that
    this saves.
    """
    joins, saved = list(found.joins), set[TableRef]()
    for table in found.between:
        around = [join for join in joins if table in (join.left, join.right)]
        are_keys = (
            all(join.right == table and join.cardinality in _OF_ONE_ROW for join in around)
            and len({join.right_columns for join in around}) == 1
        )
        if len(around) == 2 and are_keys:
            left, right = sorted(around, key=lambda join: join.cardinality == "1:1")
            joins[joins.index(around[0])] = Join(
                left.left,
                left.left_columns,
                right.left,
                right.left_columns,
                reason=f"both keys of {column_name(str(table))}",
                cardinality=left.cardinality if right.cardinality == "1:1" else "n:m",
            )
            joins.remove(around[1])
            saved.add(table)
    return joins, saved


def alternatives(environment: Environment, tables: Sequence[TableRef]) -> Iterator[str]:
    """
    A line for each pair of tables that several paths of foreign keys connect, unless each path only
    goes on from a table of another line.
    """
    keys = environment.derive(_foreign_keys)
    paths_of = dict[tuple[TableRef, TableRef], list[Path]]()
    for pair in combinations(tables, 2):
        for left, right in (pair, pair[::-1]):
            paths = _paths(keys, left, right)
            if len(paths) > 1:
                paths_of[left, right] = paths
    listed_paths = set(chain.from_iterable(paths_of.values()))
    for (left, right), paths in paths_of.items():
        if not listed_paths.issuperset(path[:-1] for path in paths):
            several = "; ".join(map(_path_text, paths[:_MAX_PATHS]))
            more = f" and {len(paths) - _MAX_PATHS} more" if len(paths) > _MAX_PATHS else ""
            ends = f"{column_name(str(left))} to {column_name(str(right))}"
            yield f"{ends} by different join paths: {several}{more}"


def _foreign_keys(profiled: ProfiledCatalog) -> Mapping[TableRef, Sequence[KeyPair]]:
    """By table its foreign keys to tables in use, each with the likeliest target."""
    facts, keys = profiled.facts, defaultdict[TableRef, list[KeyPair]](list)
    others = {**originals(profiled), **successors(profiled)}
    for pair in facts.joins:
        [left, *_], [right, *_] = pair.left_columns, pair.right_columns
        is_likeliest = (
            ColumnRef(pair.right, right) in facts.get(ColumnRef(pair.left, left)).points_to[:1]
        )
        if is_likeliest and pair.cardinality != "n:m" and pair.right not in others:
            keys[pair.left].append(pair)
    return keys


def _paths(
    keys: Mapping[TableRef, Sequence[KeyPair]], start: TableRef, end: TableRef
) -> list[Path]:
    """
    Paths along foreign keys: direct ones, else those of at most one join more than the shortest; a
    table on the way is reached by as few joins as possible.
    """
    paths, begun, most, reached = list[Path](), [Path()], _MAX_JOINS, {start}
    while begun and len(begun[0]) < most:
        longer = list[Path]()
        for path in begun:
            for pair in keys.get(path[-1].right if path else start, ()):
                if pair.right == end:
                    paths.append((*path, pair))
                elif pair.right not in reached:
                    longer.append((*path, pair))
        if paths:
            most = min(most, 1 if len(paths[0]) == 1 else len(paths[0]) + 1)
        begun, reached = longer, reached | {path[-1].right for path in longer}
    return paths


def _path_text(path: Path) -> str:
    """Its columns: `customer_id -> crm.customers.region_id`."""
    first, *others = path
    columns = [", ".join(first.left_columns)]
    columns += [f"{pair.left}.{', '.join(pair.left_columns)}" for pair in others]
    return " -> ".join(map(column_name, columns))


def _cautions(environment: Environment, joins: Sequence[Join]) -> Iterator[str]:
    """Warnings about fan-out that would multiply figures."""
    many = dict[TableRef, dict[TableRef, None]]()
    for join in joins:
        if join.cardinality == "n:1":
            many.setdefault(join.right, {})[join.left] = None
        elif join.cardinality == "n:m":
            yield f"caution: rows multiply, as neither side of {escape_invisible(join)} is unique"
    for table, others in many.items():
        name = column_name(str(table))
        several = " and ".join(column_name(str(item)) for item in others)
        if len(others) > 1:
            yield (
                f"caution: {several} each have several rows for one of {name}: add up each by "
                "itself before you join"
            )
        elif _has_figures(environment, table):
            yield (
                f"caution: a row of {name} comes once for each of {several}: do not add up its "
                "figures after the join"
            )


def _has_figures(environment: Environment, table: TableRef) -> bool:
    columns = environment.indexed.catalog.table_by_ref[table].columns
    refs = (ColumnRef(table, column.path) for column in columns)
    return any(environment.indexed.facts.get(ref).category in FIGURES for ref in refs)


def join_line(join: Join, *notes: str) -> str:
    """A join with cardinality, and overlap if incomplete."""
    notes_shown = [*notes]
    if join.cardinality:
        notes_shown.append(join.cardinality)
    if join.overlap is not None and (notes or join.overlap < _SURE_OVERLAP):
        notes_shown.append(f"{join.overlap:.0%} of the values found")
    return (
        f"{escape_invisible(join)} ({', '.join(notes_shown)})"
        if notes_shown
        else escape_invisible(join)
    )


def _pair_line(join: Join) -> str:
    return join_line(join, "by name alone" if join.reason == BY_NAME else join.reason)
