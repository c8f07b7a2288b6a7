"""Finds tables, columns, values and joins: enter questions, texts and names, leave lines for a model."""

from collections.abc import Iterator, Sequence

from linker import pipeline
from linker.environment import Environment
from linker.link.answer import BY_NAME, Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.link.evidence import column_profile, may_show
from linker.link.joining import join_tables
from linker.link.linking import catalog_names
from linker.link.views import heading, name_of, structure_line
from linker.names.repair import Unknown
from linker.serve.lookup import Lookup, unknown_name
from linker.store import EVERYWHERE
from linker.strategies.shortlist import ShortlistStrategy
from linker.text.words import readable
from linker.types import ColumnRef, Hit, TableRef

_LONGEST_COMMENT = 100
_LONGEST_VALUE = 60


def find(environment: Environment, questions: Sequence[str], columns: int) -> Lookup:
    """For each question its likely tables, with their likely columns only, so many in all."""
    lines = list[str]()
    for question in questions:
        schema = pipeline.link(question, environment, ShortlistStrategy())
        lines += _headed(question, len(questions), _found(environment, schema, columns))
    return Lookup(tuple(lines), "ask one question at a time, or for fewer `columns`")


def link(environment: Environment, questions: Sequence[str]) -> Lookup:
    """For each question the linked schema of the strategy that is set."""
    lines = list[str]()
    for question in questions:
        schema = pipeline.ask(question, environment)
        lines += _headed(question, len(questions), _linked(environment, schema))
    return Lookup(tuple(lines), "ask one question at a time, or raise `characters`")


def find_value(environment: Environment, texts: Sequence[str], limit: int) -> Lookup:
    """For each text the columns that hold it, the value as it is spelt there, and how many rows have it."""
    lines = list[str]()
    for text in texts:
        hits = environment.retriever.search(text, limit=200, scope=EVERYWHERE).columns
        # Who asks for two words means both: a value of one of them comes later.
        named = sorted((hit for hit in hits if hit.matches), key=lambda hit: -_share(text, hit))
        lines += _headed(text, len(texts), list(_held(environment, named, limit)))
    return Lookup(tuple(lines), "raise `limit`, or ask for one text at a time")


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


def _headed(question: str, count: int, lines: list[str]) -> list[str]:
    """The lines below what was asked, where several things were."""
    return [f"== {readable(question)}", *lines] if count > 1 else lines


def _found(environment: Environment, schema: LinkedSchema, most: int) -> list[str]:
    lines = list[str]()
    if schema.unanswerable:
        lines.append(f"{readable(schema.unanswerable.missing)}; what comes nearest:")
    every = sorted((column.score for table in schema.tables for column in table.columns), reverse=True)
    least = every[:most][-1] if every else 0.0
    shown = set[TableRef]()
    for table in schema.tables:
        columns = [column for column in table.columns if column.score >= least]
        if columns:
            shown.add(table.table.ref)
            lines += _table_lines(environment, table, columns)
    lines += [f"join {_join_line(join)}" for join in schema.joins if {join.left, join.right} <= shown]
    lines += map(readable, schema.warnings)
    if len(every) > most:
        lines.append(f"{len(every) - most} less likely columns are left out: raise `columns`, or describe() a table")
    elif schema.complete is not None:
        tenths = f"{schema.complete * 10:.0f} of 10 such questions"
        lines.append(f"all that is needed is here in about {tenths}; describe() has the rest of a table")
    return lines


def _linked(environment: Environment, schema: LinkedSchema) -> list[str]:
    lines = [f"strategy {schema.strategy}" + (f" ({readable(schema.chosen_because)})" if schema.chosen_because else "")]
    if schema.unanswerable:
        lines.append(f"cannot be answered: {readable(schema.unanswerable.missing)}; what comes nearest:")
    for table in schema.tables:
        lines += _table_lines(environment, table, table.columns)
    lines += [f"join {_join_line(join)}" for join in schema.joins]
    return [*lines, *map(readable, schema.warnings)]


def _table_lines(environment: Environment, linked: LinkedTable, columns: Sequence[LinkedColumn]) -> Iterator[str]:
    yield heading(linked.table, linked.stands_for)
    for linked_column in columns:
        ref = ColumnRef(linked.table.ref, linked_column.column.path)
        parts = [
            structure_line(linked_column.column, environment.indexed.facts.of(ref)),
            readable(linked_column.reason),
        ]
        if linked_column.column.description:
            parts.append(readable(linked_column.column.description)[:_LONGEST_COMMENT])
        sure = linked_column.status or f"{linked_column.score:.0%}"
        yield f"  {'; '.join(part for part in parts if part)} [{sure}]"


def _join_line(join: Join) -> str:
    measured = f" ({join.overlap:.0%} of the values found)" if join.overlap is not None else ""
    return f"{join}{measured}"


def _share(text: str, hit: Hit) -> float:
    """How much of a text the values of a column say, and how well."""
    return max(len(match.said) * match.similarity for match in hit.matches) / len(text)


def _held(environment: Environment, hits: Sequence[Hit], limit: int) -> Iterator[str]:
    for hit in hits[:limit]:
        column = column_profile(environment.profile_of(hit.ref.table), hit.ref.path)
        if column is None or not may_show(column):
            continue
        counts = {entry.value: entry.count for entry in column.l2.representative_values or ()}
        for match in hit.matches[:3]:
            count = counts.get(match.value)
            rows = f", {count} row{'s' * (count != 1)}" if count is not None else ""
            yield f"{name_of(str(hit.ref))} = '{readable(match.value)[:_LONGEST_VALUE]}'{rows}"
    if len(hits) > limit:
        yield f"… and {len(hits) - limit} more columns: raise `limit`"
    if not hits:
        yield "no value that is indexed is like it; only frequent values are: probe() with `where column ilike '%…%'`"


def _pair_line(join: Join) -> str:
    why = "by name alone" if join.reason == BY_NAME else join.reason
    measured = f", {join.overlap:.0%} of the values found" if join.overlap is not None else ""
    return f"{name_of(str(join))} ({why}{measured})"
