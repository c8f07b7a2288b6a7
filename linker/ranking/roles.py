"""Roles of columns, as key, name, time or amount: by name, type, values and what was measured."""

import re
from collections.abc import Sequence
from functools import lru_cache

from linker.catalog.facts import ColumnFacts
from linker.text.words import stem, word_list, words_of_name
from linker.types import Column

_KEYS, _NAMES, _TIMES, _PLACES, _GROUPS, _AMOUNTS = (
    word_list(f"naming_{kind}")
    for kind in ("keys", "names", "times", "places", "groups", "amounts")
)
_OF_LOADING = frozenset(map(stem, word_list("naming_loading")))
_TIME_TYPE = re.compile(r"^(date|time|timestamp|datetime|interval)", re.IGNORECASE)
_NUMBER_TYPE = re.compile(
    r"^(u?(tiny|small|medium|big|huge)?int|integer|number|numeric|decimal|float|double|real|bignumeric|money)",
    re.I,
)
_BOOLEAN_TYPE = re.compile(r"^bool", re.IGNORECASE)
_PLACE_TYPE = re.compile(r"^(geo|point|polygon)", re.IGNORECASE)
_FRACTION_TYPE = re.compile(r"^(numeric|decimal|float|double|real|bignumeric|money)", re.IGNORECASE)
_OPEN_TYPE = re.compile(r"^(json|variant|object|struct|array|list|map|super|record)", re.IGNORECASE)
_TYPES = (_TIME_TYPE, _NUMBER_TYPE, _FRACTION_TYPE, _BOOLEAN_TYPE, _PLACE_TYPE, _OPEN_TYPE)
_DAY = re.compile(r"^(1[89]|20)\d\d[-/]?(0[1-9]|1[0-2])[-/]?([0-2]\d|3[01])\b")
_YEAR = re.compile(r"^(1[89]|20)\d\d$")

# The categories of profiles, by the role that they prove.
_BY_CATEGORY = dict.fromkeys(("identifier", "foreign_key"), "key") | dict.fromkeys(
    ("date", "timestamp"), "time_type"
)
_BY_CATEGORY |= dict.fromkeys(("measure", "money"), "amount") | {
    "year": "time",
    "category": "group",
    "geo": "place",
}

ROLES = (
    "time_type",
    "number_type",
    "fraction_type",
    "boolean_type",
    "place_type",
    "open_type",
    "key",
    "name",
    "time",
    "place",
    "group",
    "amount",
    "says_id",
)


# The words of a name, by the role that they say.
_BY_WORDS = (
    ("key", frozenset(("id", "uuid", "guid", "uid"))),
    ("name", _NAMES),
    ("time", _TIMES),
    ("place", _PLACES),
    ("group", _GROUPS),
    ("amount", _AMOUNTS),
)


def roles_of(
    column: Column, own_words: Sequence[str], values: Sequence[str], facts: ColumnFacts
) -> tuple[bool, ...]:
    """
    For each of `ROLES` whether the column has it; what was measured adds to what the name says.
    """
    seen = [value for value in values[:5] if value]
    found = {role for role, words in _BY_WORDS if not words.isdisjoint(own_words)} | _roles_of_type(
        column.data_type
    )
    found.add(_BY_CATEGORY.get(facts.category or "", ""))
    if seen and all(map(_DAY.match, seen)):
        found |= {"time_type", "time"}
    if seen and all(map(_YEAR.match, seen)):
        found.add("time")
    if facts.is_primary_key or facts.is_foreign_key or not _KEYS.isdisjoint(own_words[-1:]):
        found.add("key")
    if list(own_words) == ["id"]:
        found.add("says_id")
    return tuple([role in found for role in ROLES])


def is_of_loading(column: Column) -> bool:
    """True for a time at which a row was written, not one at which something happened."""
    return not _OF_LOADING.isdisjoint(words_of_name(column.path))


@lru_cache(maxsize=10_000)
def _roles_of_type(data_type: str) -> frozenset[str]:
    """The roles of a type; a catalogue has few."""
    found = {role for role, pattern in zip(ROLES, _TYPES, strict=False) if pattern.match(data_type)}
    return frozenset(found | {"time"} if "time_type" in found else found)
