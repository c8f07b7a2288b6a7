"""
Selection of tables for one run: enter `--select` and `--exclude`, leaves a record, and the vars that dbt gets of it.

`sales.*` and `*.orders_*` mean names, with a star for any characters; `sales` a whole schema; `tag:nightly` what has
that tag in the user's dbt project; `older:24h` what was not scanned for so long. Several are a union, and what is
excluded is out. Who is not selected keeps its profile: it is not scanned in this run, and that is all.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from linker.dbt.manifest import Manifest, name_of
from linker.errors import ConfigError
from linker.text.numbers import parse_duration
from linker.types import Record

_METHOD = re.compile(r"([a-z_]+):")
_HINT = "a pattern is `sales`, `sales.*`, `*.orders_*`, `tag:nightly` or `older:24h`"
_NEAREST = 3

TablesOfTag = Callable[[str], Sequence[str]]


class Named(Record, frozen=True):
    """Tables by `schema.table`, with stars; the name of a family or of one of its members."""

    text: str
    glob: str


class Tagged(Record, frozen=True):
    """Tables that have a tag in dbt."""

    text: str
    tag: str


class Older(Record, frozen=True):
    """Tables whose newest scan is older, or that were never scanned."""

    text: str
    age: timedelta


Pattern = Named | Tagged | Older


class Selection(Record, frozen=True):
    """Tables that a run looks at; with nothing to select that is everything."""

    select: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()

    def __bool__(self) -> bool:
        """Tell if it leaves anything out."""
        return bool(self.select or self.exclude)

    def __str__(self) -> str:
        """Text of the flags that mean this selection."""
        return " ".join(
            f"--{flag} {pattern.text}"
            for flag, patterns in (("select", self.select), ("exclude", self.exclude))
            for pattern in patterns
        )

    def variables(self, tables_of_tag: TablesOfTag) -> dict[str, object]:
        """The vars of dbt, which say the same in tables and hours; tags are looked up here, where they are known."""
        flags = {"select": self.select, "exclude": self.exclude}
        return {
            name: [_variable(pattern, tables_of_tag) for pattern in patterns]
            for name, patterns in flags.items()
            if patterns
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


def _variable(pattern: Pattern, tables_of_tag: TablesOfTag) -> dict[str, object]:
    match pattern:
        case Named():
            return {"pattern": pattern.text, "tables": [pattern.glob]}
        case Tagged():
            return {"pattern": pattern.text, "tables": list(tables_of_tag(pattern.tag))}
        case Older():
            return {"pattern": pattern.text, "older_hours": pattern.age / timedelta(hours=1)}


def nothing_matches(pattern: str, names: Sequence[str]) -> ConfigError:
    """Error for a pattern that means no table, with those it may have meant; the names are those of the warehouse."""
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


class Tags(Record, frozen=True):
    """The tables of each tag, as `schema.table` in lower case."""

    manifest: Path
    tables: Mapping[str, Sequence[str]]

    def tables_of(self, tag: str) -> Sequence[str]:
        """The tables that have it; that nothing has it is an error."""
        if tag in self.tables:
            return self.tables[tag]
        near = difflib.get_close_matches(tag, self.tables, n=3, cutoff=0.5)
        known = f"did you mean {' or '.join(f'tag:{name}' for name in near)}?" if near else None
        raise ConfigError(
            f"nothing in {self.manifest} has the tag `{tag}`",
            hint=known or f"its tags are: {', '.join(sorted(self.tables)) or 'none'}",
        )


def selected_variables(selection: Selection, manifest: Manifest | None) -> dict[str, object]:
    """The vars with which dbt selects; the manifest is read where a tag is asked for."""
    read: list[Tags] = []

    def tables_of_tag(tag: str) -> Sequence[str]:
        if not read:
            read.append(read_tags(manifest))
        return read[0].tables_of(tag)

    return selection.variables(tables_of_tag)


def read_tags(manifest: Manifest | None) -> Tags:
    """The tags of a manifest."""
    if manifest is None:
        raise ConfigError(
            "tags are those of a dbt project, and there is none in this folder",
            hint="set `manifest` to the target/manifest.json of yours",
        )
    tables: dict[str, set[str]] = {}
    for node in manifest.nodes():
        for tag in node.get("tags") or ():
            tables.setdefault(str(tag), set()).add(f"{node.get('schema')}.{name_of(node)}".lower())
    return Tags(manifest.path, {tag: sorted(names) for tag, names in tables.items()})
