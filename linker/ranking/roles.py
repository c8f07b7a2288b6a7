"""Roles of columns, as key, name, time or amount: by name, type, values and what was measured."""

import re
from collections.abc import Sequence
from functools import lru_cache

from linker.catalog.facts import ColumnFacts
from linker.text.words import stem, word_list, words_of_name
from linker.types import Column

_KEYS, _NAMES, _TIMES, _PLACES, _GROUPS, _AMOUNTS = (
    word_list(f"naming_{kind}") for kind in ("keys", "names", "times", "places", "groups", "amounts")
)
_OF_LOADING = frozenset(map(stem, word_list("naming_loading")))
_TIME_TYPE = re.compile(r"^(date|time|timestamp|datetime|interval)", re.IGNORECASE)
_NUMBER_TYPE = re.compile(
    r"^(u?(tiny|small|medium|big|huge)?int|integer|number|numeric|decimal|float|double|real|bignumeric|money)", re.I
)
_BOOLEAN_TYPE = re.compile(r"^bool", re.IGNORECASE)
_PLACE_TYPE = re.compile(r"^(geo|point|polygon)", re.IGNORECASE)
_FRACTION_TYPE = re.compile(r"^(numeric|decimal|float|double|real|bignumeric|money)", re.IGNORECASE)
_OPEN_TYPE = re.compile(r"^(json|variant|object|struct|array|list|map|super|record)", re.IGNORECASE)
_TYPES = (_TIME_TYPE, _NUMBER_TYPE, _FRACTION_TYPE, _BOOLEAN_TYPE, _PLACE_TYPE, _OPEN_TYPE)
_DAY = re.compile(r"^(1[89]|20)\d\d[-/]?(0[1-9]|1[0-2])[-/]?([0-2]\d|3[01])\b")
_YEAR = re.compile(r"^(1[89]|20)\d\d$")

# The categories of profiles, by the role that they prove.
_BY_CATEGORY = {
    "identifier": "key",
    "foreign_key": "key",
    "date": "time_type",
    "timestamp": "time_type",
    "year": "time",
    "category": "group",
    "measure": "amount",
    "money": "amount",
    "geo": "place",
}

ROLES = (
    *("time_type", "number_type", "fraction_type", "boolean_type", "place_type", "open_type"),
    *("key", "name", "time", "place", "group", "amount", "says_id"),
)


def roles_of(column: Column, own_words: Sequence[str], values: Sequence[str], facts: ColumnFacts) -> tuple[bool, ...]:
    """For each of `ROLES` whether the column has it; what was measured adds to what the name says."""
    words, last = set(own_words), own_words[-1] if own_words else ""
    seen = [value for value in values[:5] if value]
    looks_like_day = bool(seen) and all(map(_DAY.match, seen))
    looks_like_year = bool(seen) and all(map(_YEAR.match, seen))
    is_time_type, *other_types = _types(column.data_type)
    found = {
        "time_type": is_time_type or looks_like_day,
        **dict(zip(ROLES[1:], other_types, strict=False)),
        "key": last in _KEYS or bool(words & {"id", "uuid", "guid", "uid"}),
        "name": bool(words & _NAMES),
        "time": is_time_type or looks_like_day or looks_like_year or bool(words & _TIMES),
        "place": bool(words & _PLACES),
        "group": bool(words & _GROUPS),
        "amount": bool(words & _AMOUNTS),
        "says_id": list(own_words) == ["id"],
    }
    is_key = facts.is_primary_key or facts.is_foreign_key
    proven = {_BY_CATEGORY.get(facts.category or "", ""), "key" if is_key else ""}
    return tuple([found[role] or role in proven for role in ROLES])


def is_of_loading(column: Column) -> bool:
    """True for a time at which a row was written, not one at which something happened."""
    return not _OF_LOADING.isdisjoint(words_of_name(column.path))


@lru_cache(maxsize=10_000)
def _types(data_type: str) -> tuple[bool, ...]:
    """The types that it has, in the order of `ROLES`; a catalogue has few."""
    return tuple(bool(pattern.match(data_type)) for pattern in _TYPES)
