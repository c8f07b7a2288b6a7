"""
What one run looks at: enter the words of `--select` and `--exclude`, leaves a record, and the vars that dbt gets of it.

`sales.*` and `*.orders_*` mean names, with a star for any characters; `sales` a whole schema; `tag:nightly` what has
that tag in the user's dbt project; `older:24h` what was not scanned for so long. Several are a union, and what is
excluded is out. Who is not selected keeps its profile: it is not scanned in this run, and that is all.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from linker.errors import ConfigError
from linker.text.numbers import parse_duration

_METHOD = re.compile(r"([a-z_]+):")
_HINT = "a pattern is `sales`, `sales.*`, `*.orders_*`, `tag:nightly` or `older:24h`"
_NEAREST = 3

TablesOfTag = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Named:
    """Tables by `schema.table`, with stars; the name of a family or of one of its members."""

    text: str
    glob: str


@dataclass(frozen=True, slots=True)
class Tagged:
    """Tables that have a tag in dbt."""

    text: str
    tag: str


@dataclass(frozen=True, slots=True)
class Older:
    """Tables whose newest scan is older, or that were never scanned."""

    text: str
    age: timedelta


Pattern = Named | Tagged | Older


@dataclass(frozen=True, slots=True)
class Selection:
    """What a run looks at; with nothing to select that is everything."""

    select: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()

    def __bool__(self) -> bool:
        """Whether it leaves anything out."""
        return bool(self.select or self.exclude)

    def __str__(self) -> str:
        """As one would write it."""
        return " ".join(
            f"--{flag} {pattern.text}"
            for flag, patterns in (("select", self.select), ("exclude", self.exclude))
            for pattern in patterns
        )

    def variables(self, tables_of_tag: TablesOfTag) -> dict[str, object]:
        """The vars of dbt, which say the same in tables and hours; tags are looked up here, where they are known."""
        told = {"select": self.select, "exclude": self.exclude}
        return {
            name: [_told(pattern, tables_of_tag) for pattern in patterns] for name, patterns in told.items() if patterns
        }


EVERYTHING = Selection()


def read_selection(select: Iterable[str], exclude: Iterable[str]) -> Selection:
    """Both flags, as often as they were given."""
    return Selection(tuple(map(_pattern, select)), tuple(map(_pattern, exclude)))


def _pattern(text: str) -> Pattern:
    text = text.strip()
    method = _METHOD.match(text)
    rest = text[method.end() :].strip() if method else text
    if not rest:
        raise ConfigError(f"`{text}` selects nothing", hint=_HINT)
    if not method:
        return Named(text, text if "." in text else f"{text}.*")
    if method[1] == "tag":
        return Tagged(text, rest)
    if method[1] == "older":
        return Older(text, parse_duration(rest))
    raise ConfigError(f"`{method[1]}:` is no way to select tables", hint=_HINT)


def _told(pattern: Pattern, tables_of_tag: TablesOfTag) -> dict[str, object]:
    match pattern:
        case Named():
            return {"pattern": pattern.text, "tables": [pattern.glob]}
        case Tagged():
            return {"pattern": pattern.text, "tables": list(tables_of_tag(pattern.tag))}
        case Older():
            return {"pattern": pattern.text, "older_hours": pattern.age / timedelta(hours=1)}


def nothing_matches(pattern: str, names: Sequence[str]) -> ConfigError:
    """That no table is meant by it, and which it may have meant; the names are those of the warehouse."""
    wanted = pattern.replace("*", "").strip(".").lower()
    known: dict[str, str] = dict(_known_as(names))
    near = difflib.get_close_matches(wanted, known, n=2 * _NEAREST, cutoff=0.6)
    nearest = list(dict.fromkeys(known[name] for name in near))[:_NEAREST]
    return ConfigError(
        f"no table matches `{pattern}`",
        hint=f"did you mean {' or '.join(nearest)}?" if nearest else "`linker profile --plan` lists the tables",
    )


def _known_as(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Under which words one may look for a table, and how a pattern has to name it."""
    for name in names:
        schema, _, table = name.partition(".")
        yield table.lower(), name
        yield schema.lower(), f"{schema}.*"
        yield name.lower(), name
