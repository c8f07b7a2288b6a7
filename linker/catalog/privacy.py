"""
Checks the column patterns of privacy settings: patterns that match no column, and columns whose
values the profiles still show.
"""

import re
from collections.abc import Iterator, Mapping

from linker.config import Settings
from linker.types import Catalog, ColumnRef, Table

_STRICTNESS = ("show", "mask", "hide", "exclude", "refuse")


def patterns_of(settings: Settings) -> dict[str, tuple[str, ...]]:
    """Patterns by kind of rule, in order of precedence."""
    return {
        "exclude": settings.exclude_columns,
        "hide": settings.hide_columns,
        "mask": settings.mask_columns,
        "show": settings.show_columns,
    }


def _patterns(settings: Settings) -> Iterator[tuple[str, str]]:
    for word, patterns in patterns_of(settings).items():
        for pattern in patterns:
            yield word, pattern


def unmatched(settings: Settings, catalog: Catalog) -> list[str]:
    """A warning for each pattern that matches no column, which is probably a misspelling."""
    names = list[str]()
    for table in catalog.tables:
        for column in table.columns:
            names += _names(table, column.path)
    return [
        f"{word}_columns: no column matches `{pattern}`; a pattern is `schema.table.column`, and `*` matches any text"
        for word, pattern in _patterns(settings)
        if not any(map(_compiled(pattern).fullmatch, names))
    ]


def still_shown(
    settings: Settings, catalog: Catalog, privacy: Mapping[ColumnRef, str]
) -> list[ColumnRef]:
    """
    Columns whose profiles show more than the settings allow: profiled before the setting, or by dbt
    alone.
    """
    wanted = [(word, _compiled(pattern)) for word, pattern in _patterns(settings)]
    columns = []
    for table in catalog.tables:
        for column in table.columns:
            wishes = (
                word
                for word, pattern in wanted
                if any(map(pattern.fullmatch, _names(table, column.path)))
            )
            kept = privacy.get(ColumnRef(table.ref, column.path), "show")
            if _STRICTNESS.index(next(wishes, "show")) > _STRICTNESS.index(kept):
                columns.append(ColumnRef(table.ref, column.path))
    return columns


def _names(table: Table, path: str) -> Iterator[str]:
    """Names that patterns match; a family has its own and that of its newest shard."""
    yield f"{table.ref}.{path}".lower()
    if table.family:
        yield f"{table.ref.schema}.{table.family.representative}.{path}".lower()


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern.lower()).replace(r"\*", ".*"), re.DOTALL)
