"""Schema diff as a pull request comment in GitHub Markdown."""

from collections.abc import Iterator, Sequence

from linker.history.runs import BrokenJoin, ColumnChange, TableChange, WarehouseDiff
from linker.output.runs import column_lines, comparison_summary, table_line
from linker.text.escaping import escape_invisible, one_line, shortened

# GitHub limits comments to 65,536 characters.
_MAX_TABLES = 50
_MAX_COLUMNS = 20
_LONGEST = 300
_KEPT_BACK = {"mask": "masked", "hide": "hidden", "exclude": "not read"}
# Escapes Markdown, mentions and links in warehouse text.
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>()#+!|~$@"})


def render_changes(comparison: WarehouseDiff) -> str:
    """Changed tables, broken joins, and new PII columns."""
    title = f"### Warehouse: {comparison_summary(comparison)}"
    sections = (_tables(comparison.tables), _joins(comparison.broken_joins), _personal(comparison))
    runs = f"<sub>linker, run {comparison.before.number} to {comparison.after.number}</sub>"
    return "\n\n".join([title, *filter(None, map("\n".join, sections)), runs])


def _text(words: str) -> str:
    """Warehouse text escaped for Markdown."""
    return shortened(one_line(words), _LONGEST).translate(_MARKS)


def _tables(changes: Sequence[TableChange]) -> Iterator[str]:
    if not changes:
        return
    yield "| table | change | columns |"
    yield "|---|---|---|"
    for change in changes[:_MAX_TABLES]:
        facts = _text(table_line(change)) or "changed"
        columns = list(map(_column, change.columns[:_MAX_COLUMNS]))
        if len(change.columns) > _MAX_COLUMNS:
            columns.append(f"and {len(change.columns) - _MAX_COLUMNS:,} more")
        yield f"| {_text(escape_invisible(change.table))} | {facts} | {'<br>'.join(columns)} |"
    if len(changes) > _MAX_TABLES:
        yield f"\nand {len(changes) - _MAX_TABLES:,} tables more: `linker diff`"


def _column(change: ColumnChange) -> str:
    return f"{_text(escape_invisible(change.path))}: {_text('; '.join(column_lines(change)))}"


def _joins(broken: Sequence[BrokenJoin]) -> Iterator[str]:
    if broken:
        yield "**Broken joins**\n"
    for item in broken:
        join = item.join
        left = ", ".join(f"{escape_invisible(item.table)}.{path}" for path in join.columns)
        right = ", ".join(f"{join.schema}.{join.table}.{path}" for path in join.keys)
        what = "is gone" if item.now is None else f"was {item.was}, is {item.now}"
        yield f"- {_text(f'{left} = {right}')}: {_text(str(item.column))} {_text(what)}"


def _personal(comparison: WarehouseDiff) -> Iterator[str]:
    """Columns that are newly restricted."""
    lines: list[str] = []
    for table in comparison.tables:
        before = table.before.columns if table.before else ()
        was = {column.path: column.privacy for column in before}
        for column in table.after.columns if table.after else ():
            now = column.privacy or ""
            if now in _KEPT_BACK and was.get(column.path) not in _KEPT_BACK:
                name = _text(f"{escape_invisible(table.table)}.{column.path}")
                lines.append(f"- {name}: {_KEPT_BACK[now]}")
    if lines:
        yield "**Newly personal columns**\n"
    yield from lines
