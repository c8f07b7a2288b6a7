"""
Schema reduction by family merging in a folder of public catalogs.

Catalogs are read and merged as in `linker eval`, by the SQL of `linker_tables` and
`linker_families` (`benchmarks.suites.families`). Counts include nested paths.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
from msgspec.structs import replace

from benchmarks.progress_line import write_lines
from benchmarks.suites.databases import SuiteDatabase
from benchmarks.suites.families import merged, rendered_models
from linker.errors import ConfigError
from linker.evaluation.suites import open_suite

SUITES = ("spider2-lite", "spider2-snow", "bird", "spider1", "beaver")
BEFORE_AND_AFTER = """
    with tables as (
        select linker_tables.*, catalogue_tables.path_count
        from linker_tables
        inner join catalogue_tables using (database_name, schema_name, table_name)
    ),
    siblings as (
        select database_name, count(*) as groups from linker_families
            where kind = 'siblings' group by all
    ),
    counted as (
        select
            database_name,
            count(*) as tables_before,
            count(*) filter (is_representative) as tables_after,
            sum(path_count)::bigint as columns_before,
            (sum(path_count) filter (is_representative))::bigint as columns_after,
            count(distinct (schema_name, family_name)) filter (family_name is not null) as families,
            count(*) filter (family_name is not null) as members
        from tables group by all
    ),
    final as (
        select counted.*, coalesce(groups, 0) as siblings from counted
            left join siblings using (database_name)
    )
    from final
    union all
    select
        count(*) || ' databases', sum(tables_before)::bigint, sum(tables_after)::bigint,
            sum(columns_before)::bigint,
        sum(columns_after)::bigint, sum(families)::bigint, sum(members)::bigint,
            sum(siblings)::bigint
    from final
    order by tables_before - tables_after, database_name
"""
SIBLINGS = """
    select coalesce(key_kind, 'more than a key'), count(*), sum(member_count)::bigint
    from linker_families where kind = 'siblings' group by all order by 1
"""
GROUPS = """
    select
        database_name || '.' || schema_name, group_name, coalesce(key_kind, 'other'),
        coalesce(first_key || '..' || last_key, ''), from_json(members, '["varchar"]')
    from linker_families
    where (kind = 'siblings') = ?
    order by member_count {order}, database_name, schema_name, group_name
    limit ?
"""


def main() -> None:
    """Read the catalogues, merge, print."""
    options = _options()
    databases = list(_databases(options.root))
    if not databases:
        sys.exit(f"no catalogue in {options.root}")
    connection = merged(databases, rendered_models())
    write_lines(_figures(connection, everything=options.all))
    for are_siblings, order, title in (
        (False, "desc", "largest families"),
        (False, "asc", "smallest families"),
        (True, "desc", "largest groups of siblings"),
    ):
        if options.groups:
            write_lines(iter([f"\nThe {options.groups} {title}"]))
            write_lines(_groups(connection, order, options.groups, are_siblings=are_siblings))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--root", type=Path, required=True, help="folder of the public catalogues")
    parser.add_argument(
        "--groups", type=int, default=0, help="print that many groups with sample names"
    )
    parser.add_argument(
        "--all", action="store_true", help="print databases too in which nothing is merged"
    )
    return parser.parse_args()


def _databases(root: Path) -> Iterator[SuiteDatabase]:
    """
    The databases of all suites in the folder; of two suites with the same database both are there.
    """
    for name in SUITES:
        try:
            suite = open_suite(name, root / name)
        except ConfigError as missing:
            sys.stderr.write(f"{missing}\n")
            continue
        for database in suite.databases:
            yield replace(database, name=f"{name}/{database.name}")


def _figures(connection: duckdb.DuckDBPyConnection, *, everything: bool) -> Iterator[str]:
    heads = ("database", "tables", "after", "columns", "after", "families", "members", "siblings")
    yield _line(heads)
    for row in connection.execute(BEFORE_AND_AFTER).fetchall():
        if everything or row[1] != row[2]:
            yield _line(row)
    for key_kind, groups, members in connection.execute(SIBLINGS).fetchall():
        yield f"siblings that differ in {key_kind}: {groups:,} groups of {members:,} logical tables"


def _line(cells: tuple[Any, ...]) -> str:
    first, *others = (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in cells)
    return f"{first:<56}" + "".join(f"{cell:>10}" for cell in others)


def _groups(
    connection: duckdb.DuckDBPyConnection, order: str, limit: int, *, are_siblings: bool
) -> Iterator[str]:
    rows = connection.execute(GROUPS.format(order=order), [are_siblings, limit]).fetchall()
    for schema, group, rule, key_range, members in rows:
        shown = members if len(members) <= 6 else [*members[:3], "…", *members[-2:]]
        yield f"{len(members):>4}  {schema}  {group}  [{rule}] {key_range}"
        yield f"      {', '.join(shown)}"


if __name__ == "__main__":
    main()
