"""
Patterns that name tables: `sales`, `sales.*`, `*.orders_*`, `tag:nightly`, `path:models/marts`.

A star is any text, and case does not matter. What has a slash is a path, as for dbt.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from linker.config.values import WrongError, texts
from linker.types import Record, Table

HINT = "a pattern is `sales`, `sales.*`, `*.orders_*`, `tag:nightly` or `path:models/marts`"
_METHOD = re.compile(r"([a-z_]+):")


class TablePattern(Record, frozen=True):
    """A pattern as it was written, and what it looks at."""

    text: str
    method: Literal["name", "tag", "path"]
    value: str

    def __str__(self) -> str:
        return self.text

    def matches(self, table: Table) -> bool:
        """Tell if it means this table; of a family also by one of its members."""
        match self.method:
            case "tag":
                return self.has_tag(table.dbt.tags)
            case "path":
                return self.has_path(table.dbt.path)
            case "name":
                members = table.family.members if table.family else ()
                names = (table.ref.name, *members)
                return any(_matches(self.value, f"{table.ref.schema}.{name}") for name in names)

    def has_tag(self, tags: tuple[str, ...] | list[str]) -> bool:
        """Tell if one of the tags is the one that it names."""
        return self.value in tags

    def has_path(self, path: str) -> bool:
        """
        Tell if a file of a dbt project is the one that it names, or lies below; `models/` may be
        left out.
        """
        folder = self.value.rstrip("/*")
        below = path.partition("/")[2]
        return any(
            _matches(folder, each) or _matches(f"{folder}/*", each) for each in (path, below)
        )


def read_pattern(text: str) -> TablePattern:
    """Read one; what it cannot mean is an error in words."""
    text = text.strip()
    method = _METHOD.match(text)
    value = text[method.end() :].strip() if method else text
    if not value:
        raise WrongError(f"`{text}` names nothing")
    if method and method[1] == "tag":
        return TablePattern(text, "tag", value)
    if (method and method[1] == "path") or (not method and "/" in value):
        return TablePattern(text, "path", value.removeprefix("./"))
    if method:
        raise WrongError(f"`{method[1]}:` is no way to name tables")
    return TablePattern(text, "name", value if "." in value else f"{value}.*")


def table_patterns(value: object) -> tuple[TablePattern, ...]:
    """Read a list of them, or a text with commas between."""
    if isinstance(value, tuple) and all(isinstance(each, TablePattern) for each in value):
        return value
    try:
        return tuple(map(read_pattern, texts(value)))
    except WrongError as error:
        raise WrongError(f"{error}; {HINT}") from None


def matching(patterns: Sequence[TablePattern], tables: Iterable[Table]) -> list[Table]:
    """The tables that one of the patterns means, in their order."""
    found: list[Table] = []
    for table in tables:
        if any(pattern.matches(table) for pattern in patterns):
            found.append(table)
    return found


def unmatched(setting: str, patterns: Iterable[TablePattern], tables: Sequence[Table]) -> list[str]:
    """Words for each pattern that means no table, which is more likely misspelt than meant."""
    return [
        f"{setting}: no table matches `{pattern}`; {HINT}"
        for pattern in patterns
        if not any(map(pattern.matches, tables))
    ]


def _matches(pattern: str, text: str) -> bool:
    wanted = re.escape(pattern.casefold()).replace(r"\*", ".*")
    return re.fullmatch(wanted, text.casefold(), re.DOTALL) is not None
