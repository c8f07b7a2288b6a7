"""
Lists of names, written shortly: enter names in their order, leaves a text from which each of them
can be read.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

_LAST_NUMBER = re.compile(r"(.*?)(0|[1-9]\d*)(\D*)")
_SIMPLE = re.compile(r"[\w.]+")
_SHORTEST_RUN = 4
_LEAST_ALIKE = 3
_SHORTEST_BEGINNING = 4


def first_of(names: Iterable[str], most: int) -> str:
    """The first of these names, and how many more there are."""
    shown = [*names]
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return f"{', '.join(shown[:most])}{more}"


def shortly(names: Sequence[str]) -> str:
    """
    Names in a list: numbered ones as `q1 … q24`, those that begin alike as `price_{net, gross}`.
    """
    parts = list[str]()
    for beginning, alike in groupby(_with_runs(names), _beginning):
        group = list(alike)
        if len(group) >= _LEAST_ALIKE and len(beginning) >= _SHORTEST_BEGINNING:
            group = [f"{beginning}{{{', '.join(name[len(beginning) :] for name in group)}}}"]
        parts += group
    return ", ".join(parts)


def _with_runs(names: Sequence[str]) -> Iterator[str]:
    """
    The names, of those that count on from one to the next the first and the last, where the first
    stands.
    """
    numbers = defaultdict[tuple[str, str], dict[int, str]](dict)
    for name in names:
        if found := _LAST_NUMBER.fullmatch(name):
            numbers[found[1], found[3]][int(found[2])] = name
    runs, inside = dict[str, str](), set[str]()
    for of in numbers.values():
        for _, counted in groupby(enumerate(sorted(of)), lambda place: place[1] - place[0]):
            run = [of[number] for _, number in counted]
            if len(run) >= _SHORTEST_RUN:
                inside.update(run)
                runs[min(run, key=names.index)] = f"{run[0]} … {run[-1]}"
    yield from (runs.get(name, name) for name in names if name in runs or name not in inside)


def _beginning(name: str) -> str:
    """
    The name as far as its last dot, else its last underscore; nothing of one that could be misread.
    """
    last = name.rfind("." if "." in name else "_")
    return name[: last + 1] if _SIMPLE.fullmatch(name) else ""
