"""
Compares derived gold columns with gold from other sources.

The folder holds suites in their official layouts and `derived_gold/<suite>.jsonl`: a line per
question with `db` and `gold_fields`, each field a list of alternatives `[table, column]`, and
`official_gold_tables` where the suite publishes them. Tables compare by their columns, because the
other source merges all tables with equal columns; nested paths are cut to what it has.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.progress_line import write_line
from benchmarks.suites.merging import merge
from linker.evaluation import Gold, GoldenQuestion
from linker.evaluation.scoring import derive_gold
from linker.evaluation.suites import open_suite
from linker.sql_analysis.tables import MergedTables, Tables
from linker.sql_analysis.values import steps_of
from linker.types import ColumnRef, TableRef

SUITES = ("spider2-lite", "bird", "spider1", "beaver")
KINDS = ("same", "fewer alternatives", "different")
Column = tuple[frozenset[str], str]
Fields = frozenset[frozenset[Column]]


@dataclass(frozen=True)
class Compared:
    """One question on both sides; the kind is one of `KINDS`."""

    question: GoldenQuestion
    kind: str
    ours: Fields
    theirs: Fields
    problems: tuple[str, ...]
    is_as_published: bool | None


def main() -> None:
    options = _options()
    heads = (
        "suite",
        "questions",
        *KINDS,
        "agreement",
        "with fewer",
        "problems",
        "tables as published",
        "seconds",
    )
    write_line(f"| {' | '.join(heads)} |")
    write_line("|---" * len(heads) + "|")
    for name in SUITES:
        compared, seconds = compare_suite(name, options.root, options.state_dir)
        write_line(f"| {' | '.join(map(str, _cells(name, compared)))} | {seconds:.1f} |")
        if options.show:
            for comparison in compared:
                if (
                    comparison.kind != "same"
                    or comparison.problems
                    or comparison.is_as_published is False
                ):
                    sys.stdout.writelines(f"    {line}\n" for line in _differences(comparison))


def _cells(name: str, compared: list[Compared]) -> tuple[object, ...]:
    kinds = Counter(comparison.kind for comparison in compared)
    same, fewer, _ = counts = [kinds[kind] for kind in KINDS]
    published = [
        comparison.is_as_published
        for comparison in compared
        if comparison.is_as_published is not None
    ]
    return (
        name,
        len(compared),
        *counts,
        f"{same / len(compared):.1%}",
        f"{(same + fewer) / len(compared):.1%}",
        sum(bool(comparison.problems) for comparison in compared),
        f"{sum(published)} of {len(published)}" if published else "",
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument(
        "--root", type=Path, required=True, help="folder of the suites and of derived_gold"
    )
    parser.add_argument(
        "--state-dir", type=Path, default=Path(".linker"), help="folder that remembers the families"
    )
    parser.add_argument("--show", action="store_true", help="print every difference")
    return parser.parse_args()


def compare_suite(name: str, root: Path, state_dir: Path) -> tuple[list[Compared], float]:
    """Both sides of each question, and our time."""
    suite = open_suite(name, root)
    databases = {database.name: database for database in merge(suite, state_dir)}
    described = [
        json.loads(line)
        for line in (root / "derived_gold" / f"{name}.jsonl").open(encoding="utf-8")
    ]
    if len(described) != len(suite.questions):
        sys.exit(f"{name}: {len(suite.questions)} questions here, {len(described)} there")
    started = time.perf_counter()
    golds = [
        derive_gold(question.gold_sql[0], databases[question.database])
        for question in suite.questions
    ]
    seconds = time.perf_counter() - started
    by_id = {theirs["id"]: theirs for theirs in described}
    compared = []
    for question, gold, in_order in zip(suite.questions, golds, described, strict=True):
        theirs = by_id.get(question.id, in_order)
        if _loose(theirs["db"]) not in _loose(question.database):
            sys.exit(f"{question.id} is of {question.database} here and of {theirs['db']} there")
        compared.append(_compared(question, gold, theirs, databases[question.database]))
    return compared, seconds


def _loose(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _compared(
    question: GoldenQuestion, gold: Gold, described: dict[str, Any], database: MergedTables
) -> Compared:
    tables = Tables(database)
    theirs = frozenset(_field(_refs(field, tables), tables) for field in described["gold_fields"])
    ours = frozenset(_field(field, tables) for field in gold.fields)
    is_as_published = _is_as_published(gold, described.get("official_gold_tables"), tables)
    return Compared(question, _kind(ours, theirs), ours, theirs, gold.problems, is_as_published)


def _field(refs: Iterable[ColumnRef], tables: Tables) -> frozenset[Column]:
    return frozenset(_column(ref, tables) for ref in refs)


def _refs(field: Iterable[tuple[str, str]], tables: Tables) -> Iterator[ColumnRef]:
    for table, column in field:
        yield ColumnRef(_logical(table, tables), column)


def _is_as_published(gold: Gold, published: list[str] | None, tables: Tables) -> bool | None:
    if published is None:
        return None
    named = {frozenset(map(tables.logical, tables.resolve(table))) for table in published}
    ours = {_shape(ref, tables) for ref in chain.from_iterable(gold.tables)}
    return ours == {_shape(ref, tables) for ref in chain.from_iterable(named)}


def _logical(table: str, tables: Tables) -> TableRef:
    physical = tables.resolve(table)
    if not physical:
        sys.exit(f"no table {table}")
    return tables.logical(physical[0])


def _column(ref: ColumnRef, tables: Tables) -> Column:
    """A table is identified by its columns, with the nested paths of their types."""
    return _shape(ref.table, tables), _cut(ref.path, tables).casefold()


def _shape(table: TableRef, tables: Tables) -> frozenset[str]:
    refs = chain.from_iterable(node.refs() for node in tables.nodes(table))
    return frozenset(_cut(ref.path, tables).casefold() for ref in refs)


def _cut(path: str, tables: Tables) -> str:
    """Only BigQuery declares nested types; elsewhere paths come from sample rows."""
    return path if tables.database.dialect == "bigquery" else steps_of(path)[0]


def _kind(ours: Fields, theirs: Fields) -> str:
    if ours == theirs:
        return "same"
    # A field of ours may name some of the alternatives where a condition on the suffix rules out
    # the others.
    is_narrower = len(ours) == len(theirs) and all(_wider(field, theirs) == 1 for field in ours)
    return "fewer alternatives" if is_narrower else "different"


def _wider(field: frozenset[Column], theirs: Fields) -> int:
    return sum(1 for other in theirs if field <= other)


def _differences(comparison: Compared) -> Iterator[str]:
    yield f"{comparison.question.id} {comparison.question.database}: {comparison.kind}"
    if comparison.is_as_published is False:
        yield "  other tables are published"
    for problem in comparison.problems:
        yield f"  problem: {problem}"
    for title, fields in (
        ("only ours", comparison.ours - comparison.theirs),
        ("only theirs", comparison.theirs - comparison.ours),
    ):
        if fields:
            yield f"  {title}: {', '.join(sorted(_shown(field) for field in fields))}"


def _shown(field: frozenset[Column]) -> str:
    paths = sorted({path for _, path in field})
    return f"{'/'.join(paths)} of {len(field)}"


if __name__ == "__main__":
    main()
