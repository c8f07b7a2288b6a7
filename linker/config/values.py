"""
Parsers of setting values: scalars, table patterns and glossary terms.

Patterns are `sales`, `sales.*`, `*.orders_*`, `tag:nightly`, `path:models/marts`. A star matches
any text, case is ignored, and a pattern with a slash is a path, as in dbt.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Literal

from linker.errors import ConfigError
from linker.files import read_yaml
from linker.text.escaping import is_utf8
from linker.text.numbers import parse_duration
from linker.types import Record, Table

_DAY = 86_400

HINT = "a pattern is `sales`, `sales.*`, `*.orders_*`, `tag:nightly` or `path:models/marts`"
_METHOD = re.compile(r"([a-z_]+):")

_LISTS = ("words", "tables", "columns")
_FIELDS = (*_LISTS, "rule")
_HINT = "write one `term: [words, tables, columns]` per line; `glossary` names the file"


class Secret:
    """A string whose repr is hidden in messages, logs and traces."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def get_secret_value(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return "Secret('**********')"

    def __str__(self) -> str:
        return "**********"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


class WrongError(Exception):
    """A validation message; it never repeats the value, which may be secret."""


def text(value: object) -> str:
    """A non-empty string that UTF-8 and file names can hold."""
    if not isinstance(value, str) or not value or "\0" in value or not is_utf8(value):
        raise WrongError("it should be a string")
    return value


def texts(value: object) -> tuple[str, ...]:
    """A list, or a comma-separated string as in the environment."""
    items = value.split(",") if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(
        isinstance(item, str) and item.strip() for item in items
    ):
        raise WrongError("it should be a list of strings")
    return tuple(text(item).strip() for item in items)


def path(value: object) -> Path:
    return Path(text(str(value) if isinstance(value, Path) else value))


def secret(value: object) -> Secret:
    """A Secret."""
    return value if isinstance(value, Secret) else Secret(text(value))


def number(least: int, most: int) -> Callable[[object], int]:
    """A parser of integers within bounds."""

    def read(value: object) -> int:
        written = _scalar(value)
        if (
            not written.isdecimal()
            or len(written) > len(str(most))
            or not least <= int(written) <= most
        ):
            raise WrongError(f"it should be a whole number from {least:,} to {most:,}")
        return int(written)

    return read


def yes_or_no(value: object) -> bool:
    """A boolean from YAML or the environment."""
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    written = str(value).strip().casefold()
    if written not in words:
        raise WrongError("it should be true or false")
    return words[written]


def seconds(value: object) -> float:
    """Seconds, at most one day."""
    count = decimal(value)
    if not 0 < count <= _DAY:
        raise WrongError(f"it should be a number of seconds above 0, at most {_DAY:,}")
    return count


def decimal(value: object) -> float:
    """A number; NaN is rejected."""
    try:
        return float(_scalar(value))
    except ValueError:
        return math.nan


def _scalar(value: object) -> str:
    """A scalar as text; collections are rejected without printing them."""
    return (
        str(value).strip()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
        else ""
    )


def up_to(most: int) -> Callable[[object], float]:
    """A parser of numbers from 0."""

    def read(value: object) -> float:
        number = decimal(value)
        if not 0 <= number <= most:
            raise WrongError(f"it should be a number from 0 to {most}")
        return number

    return read


def duration(value: object) -> timedelta:
    """A duration such as `36h`."""
    if isinstance(value, timedelta):
        return value
    try:
        return parse_duration(text(value))
    except ConfigError as error:
        raise WrongError(error.hint) from None


class TablePattern(Record, frozen=True):
    """A pattern as written, and what it applies to."""

    text: str
    method: Literal["name", "tag", "path"]
    value: str

    def __str__(self) -> str:
        return self.text

    def matches(self, table: Table) -> bool:
        """Whether it matches a table, or one of a family's shards."""
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
        """Whether it matches one of the tags."""
        return self.value in tags

    def has_path(self, path: str) -> bool:
        """
        Whether it matches a file of a dbt project or one of its folders; `models/` is optional.
        """
        folder = self.value.rstrip("/*")
        below = path.partition("/")[2]
        return any(
            _matches(folder, entry) or _matches(f"{folder}/*", entry) for entry in (path, below)
        )


def read_pattern(text: str) -> TablePattern:
    """Parse a pattern; errors are WrongError."""
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
        raise WrongError(f"`{method[1]}:` is not a way to select tables")
    return TablePattern(text, "name", value if "." in value else f"{value}.*")


def table_patterns(value: object) -> tuple[TablePattern, ...]:
    """Parse a list or a comma-separated string."""
    if isinstance(value, tuple) and all(isinstance(entry, TablePattern) for entry in value):
        return value
    try:
        return tuple(map(read_pattern, texts(value)))
    except WrongError as error:
        raise WrongError(f"{error}; {HINT}") from None


def matching(patterns: Sequence[TablePattern], tables: Iterable[Table]) -> list[Table]:
    """Tables that match a pattern, in their order."""
    matches: list[Table] = []
    for table in tables:
        if any(pattern.matches(table) for pattern in patterns):
            matches.append(table)
    return matches


def unmatched(setting: str, patterns: Iterable[TablePattern], tables: Sequence[Table]) -> list[str]:
    """A warning for each pattern that matches no table, which is probably a misspelling."""
    return [
        f"{setting}: no table matches `{pattern}`; {HINT}"
        for pattern in patterns
        if not any(map(pattern.matches, tables))
    ]


def _matches(pattern: str, text: str) -> bool:
    wanted = re.escape(pattern.casefold()).replace(r"\*", ".*")
    return re.fullmatch(wanted, text.casefold(), re.DOTALL) is not None


class Term(Record, frozen=True):
    """A business term: synonyms, its tables and columns, and a definition."""

    term: str
    words: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rule: str = ""
    # Where it was read.
    source: str = "glossary"

    def __str__(self) -> str:
        meant = ", ".join((*self.words, *self.tables, *self.columns))
        return f"{self.term!r} means {'; '.join(filter(None, (meant, self.rule)))}"


def terms(value: object) -> tuple[Term, ...]:
    """Terms from a mapping, or from a YAML file."""
    if isinstance(value, tuple):
        return value
    content = read_yaml(path(value), hint=_HINT) if isinstance(value, str | Path) else value
    if not isinstance(content, Mapping):
        raise WrongError("it should have one `term: …` per line, or be the path of such a file")
    return tuple(_term(str(name), meaning) for name, meaning in content.items())


def _term(name: str, meaning: object) -> Term:
    if isinstance(meaning, list | str):
        named = tuple(_texts(name, meaning))
        # A dotted name is a column or table; a bare one is a word.
        return Term(
            name,
            tuple(text for text in named if "." not in text),
            (),
            tuple(t for t in named if "." in t),
        )
    if not isinstance(meaning, Mapping) or not meaning:
        raise WrongError(f"`{name}` should have a list of words and names, or {', '.join(_FIELDS)}")
    if unknown := next((str(key) for key in meaning if key not in _FIELDS), None):
        raise WrongError(f"`{name}` has `{unknown}`, which is none of {', '.join(_FIELDS)}")
    rule = meaning.get("rule", "")
    if not isinstance(rule, str):
        raise WrongError(f"the rule of `{name}` should be a string")
    words, tables, columns = (tuple(_texts(name, meaning.get(key, []))) for key in _LISTS)
    return Term(name, words, tables, columns, " ".join(rule.split()))


def _texts(name: str, value: object) -> Iterator[str]:
    try:
        yield from texts(value)
    except WrongError:
        raise WrongError(f"what `{name}` means should be a list of strings") from None
