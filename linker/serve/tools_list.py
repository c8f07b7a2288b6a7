"""MCP tools that list tables by usage and show lineage."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice

from linker.catalog.description import ColumnDescription, column_name, listed
from linker.catalog.snapshot import ProfiledCatalog
from linker.environment import Environment
from linker.errors import LinkerError, NameLookupError
from linker.linking.linking import catalog_names
from linker.ranking.near_duplicates import current_tables, originals
from linker.serve.column_text import AnswerPart, ToolResponse, table_line
from linker.serve.lineage import ColumnLineage, LineageGraph
from linker.serve.tool_errors import answer_each
from linker.text.numbers import counted
from linker.text.words import words_of_name
from linker.types import ColumnRef, Table, TableRef

_FURTHER = "give a narrower pattern, fewer at once, or raise `max_chars`"
_MAX_SCHEMAS = 100
_MAX_NAMED = 8
_RUNS_READ = 50
_JOINS_SHOWN = 3
_MAX_KEYS = 3
# Columns with lineage per answer.
_COLUMNS_TRACED = 40
_NOTHING_KNOWN = "nothing that dbt or a view says"
# Characters of a comment in a table's line.
_LONGEST_READ = 80
_DEPRECATED = re.compile(
    r"\b(?:deprecated|obsolete|superseded|replaced by|do not use(?! for)|don't use(?! for)|out of use"  # noqa: E501
    r"|no longer (?:used|maintained|filled|updated)|use \S+ instead|veraltet|nicht mehr (?:benutzen|verwenden))\b",  # noqa: E501
    re.IGNORECASE,
)
_SUCCESSOR = re.compile(
    r"\b(?:use|see|replaced by|superseded by|moved to|in favou?r of|siehe|ersetzt durch)"
    r"(?: the)?(?: table| view)? [`\"']?(\w[\w.]*\w(?:_\*)?)",
    re.IGNORECASE,
)


def list_tables(environment: Environment, patterns: Sequence[str]) -> ToolResponse:
    """Tables that match patterns; without any, the schemas."""
    if not patterns:
        return ToolResponse(tuple(_schemas(environment)), _FURTHER)

    def tell(pattern: str) -> AnswerPart:
        matches = _matching(environment.indexed.catalog.tables, pattern)
        if not matches:
            what = f"no table is like {column_name(pattern)}"
            schemas = listed(_schema_sizes(environment))
            raise NameLookupError(what, hint=f"there are the schemas {schemas}")
        past, copies = environment.derive(successors), environment.derive(originals)
        matches.sort(key=lambda table: (table.ref in past, table.ref in copies, table.ref))
        lines = tuple(_line(environment, table) for table in matches)
        return AnswerPart(lines, f"{column_name(pattern)}: {counted(len(matches), 'table')}")

    return answer_each(patterns, tell, _FURTHER, headed=False)


def last_scan(environment: Environment) -> str:
    """End of the last run that updated profiles; empty if none did."""
    from linker.refresh.status import is_refresh

    runs = environment.store.history.runs(environment.target_key, limit=_RUNS_READ)
    ended = [run.ended_at for run in runs if is_refresh(run) and run.ended_at]
    return f"{ended[0]:%Y-%m-%d %H:%M} UTC" if ended else ""


def _schema_sizes(environment: Environment) -> dict[str, int]:
    """Tables per schema, by name; schemas that mostly hold copies come last."""
    tables = environment.indexed.catalog.tables
    sizes = Counter(table.ref.schema for table in tables)
    copies = Counter(ref.schema for ref in environment.derive(originals))
    ordered = sorted(sizes, key=lambda schema: (2 * copies[schema] > sizes[schema], schema))
    return {schema: sizes[schema] for schema in ordered}


def _schemas(environment: Environment) -> Iterator[str]:
    sizes = _schema_sizes(environment)
    first = next(iter(sizes))
    total = f"{counted(sum(sizes.values()), 'table')} in {counted(len(sizes), 'schema')}"
    if scan := last_scan(environment):
        total += f", as of the last scan, {scan}"
    yield f'{total}; those of one schema: list_tables(patterns=["{first}.*"])'
    for schema, size in islice(sizes.items(), _MAX_SCHEMAS):
        yield f"{column_name(schema)}: {counted(size, 'table')}"
    if len(sizes) > _MAX_SCHEMAS:
        yield f"… {len(sizes) - _MAX_SCHEMAS} more schemas"


def _matching(every: Iterable[Table], pattern: str) -> list[Table]:
    """Tables of a schema or pattern; without `*` and `%` a substring."""
    wanted = pattern.strip().casefold().replace("%", "*").replace("[", "[[]")
    of_schema = [table for table in every if table.ref.schema.casefold() == wanted]
    if of_schema or not wanted:
        return of_schema
    if "*" not in wanted:
        wanted = f"*{wanted}*"
    has_schema = "." in wanted
    matches = list[Table]()
    for table in every:
        name = str(table.ref) if has_schema else table.ref.name
        if fnmatchcase(name.casefold(), wanted):
            matches.append(table)
    return matches


def _line(environment: Environment, table: Table) -> str:
    rows, line = table.row_count_estimate, table_line(environment, table)
    grain = "" if " - " in line else _grain(environment, table)
    size = f"; about {rows:,} rows" if rows else ""
    return f"{line}{grain}{size}{superseded_by(environment, table)}"


def _grain(environment: Environment, table: Table) -> str:
    """
    The key of a table, unless its name tells nothing new (`id`, `order_id` of orders); else its
    foreign keys.
    """
    keys, others = list[ColumnDescription](), list[ColumnDescription]()
    for column in table.columns:
        described = environment.indexed.describe(ColumnRef(table.ref, column.path))
        if described.facts.is_primary_key:
            keys.append(described)
        elif described.facts.points_to:
            others.append(described)
    if keys:
        subjects = [words_of_name(item.name)[:-1] for item in keys]
        is_told = all(words in ([], words_of_name(table.ref.name)) for words in subjects)
        return "" if is_told else f" - one row per {listed(_names(keys), _MAX_KEYS)}"
    return f" - by {listed(_names(others), _MAX_KEYS)}" if len(others) > 1 else ""


def _names(columns: Iterable[ColumnDescription]) -> list[str]:
    return [item.name for item in columns]


def superseded_by(environment: Environment, table: Table) -> str:
    """The replacement of an obsolete table, unless its line names it."""
    successor = environment.derive(successors).get(table.ref)
    comment = table.description or ""
    if successor is None or successor.name in comment[:_LONGEST_READ]:
        return ""
    if successor == table.ref:
        return "; out of use"
    # Without a comment the line already says what it duplicates.
    return f"; kept beside {column_name(str(successor))}" if comment else ""


def successors(profiled: ProfiledCatalog) -> Mapping[TableRef, TableRef]:
    """For each obsolete table (by comment or name) its replacement, or itself if unknown."""
    names = catalog_names(profiled)
    replacements = dict(current_tables(profiled))
    for table in profiled.catalog.tables:
        comment = table.description or ""
        if not _DEPRECATED.search(comment):
            continue
        replacements.setdefault(table.ref, table.ref)
        for written in _SUCCESSOR.findall(comment):
            for name in (f"{table.ref.schema}.{written}", written):
                ref = names.table(name)
                if isinstance(ref, TableRef) and ref != table.ref and names.is_name_of(name, ref):
                    replacements[table.ref] = ref
                    break
    return replacements


def lineage_lines(environment: Environment, ref: TableRef) -> Iterator[str]:
    """Upstream and downstream by dbt and views."""
    node = environment.indexed.catalog.table_by_ref[ref].dbt
    above: Iterable[TableRef] = node.upstream
    below: Iterable[TableRef] = ()
    views_error = ""
    columns: Mapping[str, ColumnLineage] = {}
    try:
        graph = LineageGraph(environment)
        lineage, columns = graph.get(ref), graph.columns(ref)
    except LinkerError as error:
        views_error = error.what
    else:
        above, below = (steps[0] if steps else () for steps in (lineage.up, lineage.down))
    parents = listed(map(str, sorted(above)), _MAX_NAMED)
    children = listed(map(str, sorted(below)), _MAX_NAMED)
    yield f"  made from: {parents or _NOTHING_KNOWN}"
    yield f"  made from it: {children or _NOTHING_KNOWN}"
    if node.exposures:
        yield f"  shown in: {listed(node.exposures, _MAX_NAMED)}"
    for path, column in islice(columns.items(), _COLUMNS_TRACED):
        yield f"  {column_name(path)}: {'; '.join(_traced(column))}"
    if len(columns) > _COLUMNS_TRACED:
        yield f"  … {len(columns) - _COLUMNS_TRACED} more columns with lineage"
    if views_error:
        yield f"  what views say could not be read: {views_error}"


def _traced(column: ColumnLineage) -> Iterator[str]:
    """Lineage of a column."""
    parts = {"is": column.same, "computed from": column.computed_from, "goes into": column.down}
    for words, refs in parts.items():
        if refs:
            yield f"{words} {listed(map(column_name, map(str, refs)), _MAX_NAMED)}"


def use_of(environment: Environment, ref: TableRef) -> Iterator[str]:
    """Usage of a table, and its most frequent join."""
    use = environment.indexed.facts.prior_use
    if summary := use.summary(ref):
        yield f"  {summary}"
    joins = [
        (pair, item) for pair, item in use.joins.items() if ref in (pair[0].table, pair[1].table)
    ]
    joins.sort(key=lambda join: -join[1].queries)
    for (left, right), item in joins[:_JOINS_SHOWN]:
        yield f"  joined by {column_name(str(left))} = {column_name(str(right))}, {item}"
