"""
Table selection for one run by `--select` and `--exclude`: table patterns and `older:24h`.

Several patterns form a union; exclusions win. Tables outside the selection keep their profiles.
"""

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import chain
from typing import Any

from linker.config.values import HINT, TablePattern, WrongError, read_pattern
from linker.dbt.manifest import Manifest, node_name
from linker.errors import ConfigError
from linker.text.numbers import parse_duration
from linker.types import Record

_OLDER = "older:"
_HINT = f"{HINT}, or `older:24h`"
_NEAREST = 3

# Resolves a tag or path of a dbt project to `schema.table`.
FindTables = Callable[[TablePattern], Sequence[str]]


class Older(Record, frozen=True):
    """Tables whose newest scan is older, or that were never scanned."""

    text: str
    age: timedelta


Pattern = TablePattern | Older


class Selection(Record, frozen=True):
    """Tables of a run; an empty selection means all."""

    select: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()

    def __bool__(self) -> bool:
        """Whether it excludes anything."""
        return bool(self.select or self.exclude)

    def __str__(self) -> str:
        """As command-line flags."""
        selected = (f"--select {pattern.text}" for pattern in self.select)
        excluded = (f"--exclude {pattern.text}" for pattern in self.exclude)
        return " ".join((*selected, *excluded))

    def variables(self, find_tables: FindTables) -> dict[str, object]:
        """As dbt vars: tables and hours; `find_tables` resolves tags and paths."""
        flags = {"select": self.select, "exclude": self.exclude}
        variables: dict[str, object] = {}
        for name, patterns in flags.items():
            if patterns:
                variables[name] = [_variable(pattern, find_tables) for pattern in patterns]
        return variables


EVERYTHING = Selection()


def read_selection(select: Iterable[str], exclude: Iterable[str]) -> Selection:
    """Parse both flags."""
    return Selection(tuple(map(_pattern, select)), tuple(map(_pattern, exclude)))


def _pattern(text: str) -> Pattern:
    text = text.strip()
    age = text.removeprefix(_OLDER).strip()
    if text.startswith(_OLDER) and age:
        return Older(text, parse_duration(age))
    try:
        return read_pattern(text)
    except WrongError as error:
        raise ConfigError(str(error), hint=_HINT) from None


def _variable(pattern: Pattern, find_tables: FindTables) -> dict[str, object]:
    if isinstance(pattern, Older):
        return {"pattern": pattern.text, "older_hours": pattern.age / timedelta(hours=1)}
    tables = [pattern.value] if pattern.method == "name" else list(find_tables(pattern))
    return {"pattern": pattern.text, "tables": tables}


def nothing_matches(pattern: str, names: Sequence[str]) -> ConfigError:
    """Error for a pattern without a match, with similar names of the warehouse."""
    wanted = pattern.replace("*", "").strip(".").lower()
    aliases: dict[str, str] = dict(_known_as(names))
    near = difflib.get_close_matches(wanted, aliases, n=2 * _NEAREST, cutoff=0.6)
    nearest = list(dict.fromkeys(aliases[name] for name in near))[:_NEAREST]
    return ConfigError(
        f"no table matches `{pattern}`",
        hint=f"did you mean {' or '.join(nearest)}?"
        if nearest
        else "`linker profile --plan` lists the tables",
    )


def _known_as(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names to match by similarity, with the pattern for each."""
    for name in names:
        schema, _, table = name.partition(".")
        yield table.lower(), name
        yield schema.lower(), f"{schema}.*"
        yield name.lower(), name


def selected_variables(selection: Selection, manifest: Manifest | None) -> dict[str, object]:
    """As dbt vars; the manifest is read only for tags and paths."""
    return selection.variables(lambda pattern: _tables_of(manifest, pattern))


def _tables_of(manifest: Manifest | None, pattern: TablePattern) -> list[str]:
    """Lower-case tables of a tag or path; an error if there are none."""
    if manifest is None:
        raise ConfigError(
            f"`{pattern}` needs a dbt project, and this folder has none",
            hint="set `manifest` to the target/manifest.json of yours",
        )
    nodes = list(manifest.nodes())
    matches = {
        f"{node.get('schema')}.{node_name(node)}".lower() for node in nodes if _means(pattern, node)
    }
    if not matches:
        raise _nothing_has(manifest, pattern, nodes)
    return sorted(matches)


def _means(pattern: TablePattern, node: Mapping[str, Any]) -> bool:
    if pattern.method == "path":
        return pattern.has_path(str(node.get("original_file_path") or ""))
    return pattern.has_tag(node.get("tags") or [])


def _nothing_has(
    manifest: Manifest, pattern: TablePattern, nodes: Iterable[Mapping[str, Any]]
) -> ConfigError:
    if pattern.method == "path":
        folders = sorted(
            {str(node.get("original_file_path") or "").rpartition("/")[0] for node in nodes}
        )
        hint = f"its folders are: {', '.join(filter(None, folders)) or 'none'}"
        return ConfigError(f"no table in {manifest.path} has the path `{pattern.value}`", hint=hint)
    tags = set(map(str, chain.from_iterable(node.get("tags") or () for node in nodes)))
    near = difflib.get_close_matches(pattern.value, tags, n=3, cutoff=0.5)
    suggestion = f"did you mean {' or '.join(f'tag:{name}' for name in near)}?" if near else None
    return ConfigError(
        f"nothing in {manifest.path} has the tag `{pattern.value}`",
        hint=suggestion or f"its tags are: {', '.join(sorted(tags)) or 'none'}",
    )
