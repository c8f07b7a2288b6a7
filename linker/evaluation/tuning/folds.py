"""Keeps what belongs together in one fold: enter databases, leaves the number of a fold for each."""

from collections import defaultdict
from collections.abc import Mapping

from linker.text.words import parts, squashed
from linker.types import Catalog

_ALIKE = 0.3


def folds(catalogs: Mapping[str, Catalog], questions: Mapping[str, int], count: int) -> dict[str, int]:
    """
    For every database its fold; databases of one vendor, or with tables in common, share one.

    `questions` is how many each database has: folds are filled evenly by them.
    """
    groups = _together(catalogs)
    sizes = [0] * count
    found: dict[str, int] = {}
    for group in sorted(groups, key=lambda group: (-sum(questions.get(name, 0) for name in group), group)):
        fold = sizes.index(min(sizes))
        sizes[fold] += sum(questions.get(name, 0) for name in group)
        found.update(dict.fromkeys(group, fold))
    return found


def _together(catalogs: Mapping[str, Catalog]) -> list[list[str]]:
    leader = {name: name for name in catalogs}

    def lead(name: str) -> str:
        while leader[name] != name:
            name = leader[name]
        return name

    by_word: dict[str, str] = {}
    tables = {name: _tables(catalog) for name, catalog in catalogs.items()}
    names = sorted(catalogs)
    for name in names:
        said = parts(name.rpartition(".")[2])
        word = next((part for part in said if len(part) > 2 and not part.isdigit()), name)
        leader[lead(name)] = lead(by_word.setdefault(word, name))
    for place, one in enumerate(names):
        for other in names[:place]:
            shared = len(tables[one] & tables[other])
            if shared > _ALIKE * min(len(tables[one]), len(tables[other])):
                leader[lead(one)] = lead(other)
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[lead(name)].append(name)
    return list(groups.values())


def _tables(catalog: Catalog) -> set[frozenset[str]]:
    """The tables by the names of their columns, small ones left out: those look alike by chance."""
    return {
        frozenset(squashed(column.path) for column in table.columns)
        for table in catalog.tables
        if len(table.columns) > 3
    }
