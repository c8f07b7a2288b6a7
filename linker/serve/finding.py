"""Finds tables, columns, values and joins: enter questions, texts and names, leave lines for a model."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from linker import pipeline
from linker.catalog.facts import Facts
from linker.environment import Environment
from linker.link.answer import BY_NAME, Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.link.joining import join_tables
from linker.link.linking import catalog_names
from linker.link.views import listed, name_of
from linker.names.repair import Unknown
from linker.ranking.labels import labels_of
from linker.ranking.question import analyse
from linker.ranking.roles import is_of_loading
from linker.serve.copies import originals
from linker.serve.lines import column_line, table_line, tells_time
from linker.serve.lookup import Lookup, headed, unknown_name
from linker.strategies.shortlist import ShortlistStrategy
from linker.text.periods import Period, periods_of
from linker.text.words import readable
from linker.types import ColumnRef, Table, TableRef

_COPIES_NAMED, _SURE_OVERLAP, _NEARLY_ALL = 2, 0.95, 0.95
FURTHER_LINKED = "ask one question at a time, or raise `characters`"
# Of so many tables the other columns are named, up to so many of each; then so many tables by name.
_WHOLE_TABLES, _OTHERS_NAMED, _FURTHER_TABLES = 3, 7, 10


def find(environment: Environment, questions: Sequence[str], columns: int) -> Lookup:
    """For each question its likely tables, with their likely columns only, so many in all."""
    lines, named = list[str](), set[ColumnRef]()
    for question in questions:
        schema = pipeline.link(question, environment, ShortlistStrategy())
        lines += headed(question, len(questions), _found(environment, schema, columns, named))
    return Lookup(tuple(lines), "ask one question at a time, or for fewer `columns`")


def link(environment: Environment, questions: Sequence[str]) -> Lookup:
    """For each question the linked schema of the strategy that is set."""
    lines = (line for question in questions for line in linked_lines(environment, question, len(questions)))
    return Lookup(tuple(lines), FURTHER_LINKED)


def linked_lines(environment: Environment, question: str, count: int) -> list[str]:
    """The linked schema of one question of so many."""
    return headed(question, count, _linked(environment, pipeline.ask(question, environment)))


def join_path(environment: Environment, tables: Sequence[str]) -> Lookup:
    """The pairs of keys that bring tables together, tables between them included, and what speaks for each pair."""
    names = environment.derive(catalog_names)
    refs = [names.table(name) for name in tables]
    lines = [unknown_name("table", ref) for ref in refs if isinstance(ref, Unknown)]
    known = [ref for ref in refs if isinstance(ref, TableRef)]
    if len(known) > 1:
        found = join_tables(known, environment)
        lines += map(_pair_line, found.joins)
        lines += [f"nothing joins {name_of(str(ref))} to the others" for ref in found.apart]
        lines += [f"in between: {', '.join(name_of(str(ref)) for ref in found.between)}"] if found.between else []
    return Lookup(tuple(lines))


def _found(environment: Environment, schema: LinkedSchema, most: int, named: set[ColumnRef]) -> list[str]:
    """The lines of one question; a column that an earlier question told of is only named."""
    missing = schema.unanswerable.missing if schema.unanswerable else ""
    lines = [f"{readable(missing)}; what comes nearest:"] if missing else []
    original_of = environment.derive(originals)
    tables, copies = _folded(environment, schema.tables, original_of)
    every = sorted((column.score for table in tables for column in table.columns), reverse=True)
    least = every[:most][-1] if every else 0.0
    likely = {table.table.ref: [each for each in table.columns if each.score >= least] for table in tables}
    shown = {ref: columns for ref, columns in likely.items() if columns}
    periods = tuple(periods_of(schema.question))
    dated = [period for period in periods if period.first or period.last]
    if periods or "time" in analyse(schema.question).asks:
        for table in tables:
            shown.get(table.table.ref, []).extend(_times(environment, table, likely[table.table.ref], dated))
    best = sorted(shown, key=lambda ref: -max(column.score for column in shown[ref]))[:_WHOLE_TABLES]
    for table in tables:
        if columns := shown.get(table.table.ref):
            labels = _labels(environment, table.table.ref, columns, shown)
            lines += _likely_lines(environment, table, columns, labels, named, is_whole=table.table.ref in best)
            if copied := copies.get(table.table.ref):
                lines.append(f"  copies: {listed(map(str, copied), _COPIES_NAMED)}")
    lines += [f"join {_join_line(join)}" for join in schema.joins if _tells_more(environment, join, shown)]
    found = dict.fromkeys(original_of.get(ref, ref) for ref in _further_tables(schema))
    further = [ref for ref in found if ref not in shown]
    lines += [f"further tables: {_by_schema(further[:_FURTHER_TABLES])}"] if further else []
    lines += map(readable, schema.warnings)
    return lines


def _times(
    environment: Environment, linked: LinkedTable, shown: Sequence[LinkedColumn], periods: Sequence[Period]
) -> list[LinkedColumn]:
    """The likeliest column that says when, where none is shown; better one that reaches into what is asked for."""
    facts, likely = environment.indexed.facts, {each.column.path for each in linked.columns}
    others = (LinkedColumn(each, 0.0, "") for each in linked.table.columns if each.path not in likely)
    known = [(each, facts.of(ColumnRef(linked.table.ref, each.column.path))) for each in (*linked.columns, *others)]
    times = [pair for pair in known if tells_time(pair[0].column, pair[1]) and not is_of_loading(pair[0].column)]
    if any(each in shown for each, _ in times):
        return []
    met = [each for each, of in times if not (of.days and periods) or any(at.meets(*of.days) for at in periods)]
    return (met or [each for each, _ in times])[:1]


def _folded(
    environment: Environment, tables: Sequence[LinkedTable], original_of: Mapping[TableRef, TableRef]
) -> tuple[list[LinkedTable], dict[TableRef, list[TableRef]]]:
    """The tables with each copy folded into the one that it was made from, and the copies."""
    columns, copies = dict[TableRef, dict[str, LinkedColumn]](), dict[TableRef, list[TableRef]]()
    linked_by_ref = {linked.table.ref: linked for linked in tables}
    for linked in tables:
        home = original_of.get(linked.table.ref, linked.table.ref)
        table = environment.indexed.catalog.table_by_ref[home]
        held = columns.setdefault(home, {})
        if home != linked.table.ref:
            copies.setdefault(home, []).append(linked.table.ref)
        for column in linked.columns:
            known = held.get(column.column.path)
            own = table.column_by_path.get(column.column.path)
            if own and (known is None or known.score < column.score):
                held[own.path] = replace(column, column=own)
    folded = []
    for home, held in columns.items():
        linked = linked_by_ref.get(home) or LinkedTable(environment.indexed.catalog.table_by_ref[home], ())
        folded.append(replace(linked, columns=tuple(sorted(held.values(), key=lambda column: -column.score))))
    return folded, copies


def _further_tables(schema: LinkedSchema) -> Iterator[TableRef]:
    """The tables of an answer, then those of what the index brought up."""
    yield from (linked.table.ref for linked in schema.tables)
    yield from (ref.table for step, refs in schema.seen if step == "retrieval" for ref in refs)


def _tells_more(environment: Environment, join: Join, shown: Mapping[TableRef, Sequence[LinkedColumn]]) -> bool:
    """True of a join of what is shown that no arrow of a column tells."""
    if not {join.left, join.right} <= shown.keys():
        return False
    arrows = {
        (ref, target)
        for table, columns in shown.items()
        for ref in (ColumnRef(table, column.column.path) for column in columns)
        for target in environment.indexed.facts.of(ref).points_to[:1]
    }
    left = [ColumnRef(join.left, path) for path in join.left_columns]
    right = [ColumnRef(join.right, path) for path in join.right_columns]
    return not arrows >= set(zip(left, right, strict=True)) and not arrows >= set(zip(right, left, strict=True))


def _labels(
    environment: Environment,
    table: TableRef,
    columns: Sequence[LinkedColumn],
    shown: Mapping[TableRef, Sequence[LinkedColumn]],
) -> dict[str, str]:
    """By key what names the things that it leads to, and the number or code beside it, where no name is shown."""
    catalog, facts, found = environment.indexed.catalog, environment.indexed.facts, dict[str, str]()
    for column in columns:
        keys = facts.of(ColumnRef(table, column.column.path)).points_to[:1]
        target = catalog.table_by_ref.get(keys[0].table) if keys and keys[0].table != table else None
        labels = [target.columns[place].path for place in labels_of(target)] if target else []
        if target and labels and not {each.column.path for each in shown.get(target.ref, ())} & set(labels):
            found[column.column.path] = ", ".join(map(name_of, labels)) + _number_of(target, facts)
    return found


def _number_of(table: Table, facts: Facts) -> str:
    """The number or code, in brackets, by which people know a thing of a table, and which is no key."""
    for column in table.columns:
        known = facts.of(ColumnRef(table.ref, column.path))
        is_own = (known.distinct_count or 0) >= _NEARLY_ALL * (table.row_count_estimate or 1)
        if is_own and known.category in ("identifier", "code") and not (known.is_primary_key or known.points_to):
            return f" ({name_of(column.path)})"
    return ""


def _by_schema(tables: Sequence[TableRef]) -> str:
    """Tables by name, those of a schema together: sales.{orders, returns}."""
    by_schema = dict[str, list[str]]()
    for ref in tables:
        schema, name = str(ref)[: -len(ref.name)], ref.name
        by_schema.setdefault(schema, []).append(name_of(name))
    return ", ".join(f"{name_of(schema)}{{{', '.join(names)}}}" for schema, names in by_schema.items())


def _likely_lines(
    environment: Environment,
    linked: LinkedTable,
    columns: Sequence[LinkedColumn],
    labels: Mapping[str, str],
    named: set[ColumnRef],
    *,
    is_whole: bool,
) -> Iterator[str]:
    """A table with its likely columns, and the others by name."""
    ref, paths = linked.table.ref, {each.column.path for each in columns}
    before = [path for path in paths if ColumnRef(ref, path) in named]
    is_listed = any(each.table == ref for each in named)
    yield name_of(str(ref)) if is_listed else table_line(environment, linked.table, linked.stands_for)
    for each in columns:
        path = each.column.path
        if path not in before:
            facts = environment.indexed.facts.of(ColumnRef(ref, path))
            yield f"  {column_line(each.column, facts, each.examples, label=labels.get(path, ''))}"
    named |= {ColumnRef(ref, path) for path in paths}
    if before:
        yield f"  as above: {listed(before)}"
    elif others := [] if is_listed else _others(environment, linked, paths):
        yield f"  also {listed(others, _OTHERS_NAMED)}" if is_whole else f"  and {len(others)} more"


def _others(environment: Environment, linked: LinkedTable, likely: Collection[str]) -> list[str]:
    """The other columns: flags first, as they turn a question round, then the likelier ones; last what says nothing."""
    top = [column.path for column in linked.table.columns if not column.depth]
    paths = dict.fromkeys((*(each.column.path for each in linked.columns), *top))
    kinds = {path: environment.indexed.facts.of(ColumnRef(linked.table.ref, path)).category for path in paths}
    order = {"boolean": 0, "constant": 2, "empty": 2} | {path: 2 for path in paths if path.startswith("_")}
    others = (path for path in paths if path not in likely)
    return sorted(others, key=lambda path: order.get(path, order.get(kinds[path] or "", 1)))


def _linked(environment: Environment, schema: LinkedSchema) -> list[str]:
    lines = [f"strategy {schema.strategy}" + (f" ({readable(schema.chosen_because)})" if schema.chosen_because else "")]
    if schema.unanswerable:
        lines.append(f"cannot be answered: {readable(schema.unanswerable.missing)}; what comes nearest:")
    for table in schema.tables:
        lines += _table_lines(environment, table, table.columns)
    lines += [f"join {_join_line(join)}" for join in schema.joins]
    return [*lines, *map(readable, schema.warnings)]


def _table_lines(environment: Environment, linked: LinkedTable, columns: Sequence[LinkedColumn]) -> Iterator[str]:
    yield table_line(environment, linked.table, linked.stands_for)
    for linked_column in columns:
        facts = environment.indexed.facts.of(ColumnRef(linked.table.ref, linked_column.column.path))
        reason = f"; {readable(linked_column.reason)}" if linked_column.reason else ""
        sure = linked_column.status or f"{linked_column.score:.0%}"
        yield f"  {column_line(linked_column.column, facts, ())}{reason} [{sure}]"


def _join_line(join: Join) -> str:
    is_sure = join.overlap is None or join.overlap >= _SURE_OVERLAP
    return f"{join}" if is_sure else f"{join} ({join.overlap:.0%} of the values found)"


def _pair_line(join: Join) -> str:
    why = "by name alone" if join.reason == BY_NAME else join.reason
    measured = f", {join.overlap:.0%} of the values found" if join.overlap is not None else ""
    return f"{name_of(str(join))} ({why}{measured})"
