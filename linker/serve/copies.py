"""
Copies of tables: enters a catalogue with its facts, leaves for each copy the table that it was made
from.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping

from linker.catalog.snapshot import ProfiledCatalog
from linker.ranking.kin import kept
from linker.text.words import words_of_name
from linker.types import Table, TableRef

# A copy has nearly no column that its table lacks: one that says when it was made, or by whom.
_LEAST_SHARE = 0.75
_LEAST_SHARED = 2


def kept_beside(profiled: ProfiledCatalog) -> Mapping[TableRef, TableRef]:
    """By archive, backup or older version the table in use."""
    tables = profiled.catalog.tables
    return {tables[each.place].ref: tables[each.original].ref for each in kept(tables)}


def keys_into(profiled: ProfiledCatalog) -> Counter[TableRef]:
    """How many keys point to each table, from other schemas or its own."""
    return Counter(pair.right for pair in profiled.facts.joins)


def originals(profiled: ProfiledCatalog) -> Mapping[TableRef, TableRef]:
    """
    By copy the table whose name and columns it has; that one lies elsewhere and has more columns or
    keys.
    """
    pointed = keys_into(profiled)
    by_words = defaultdict[tuple[str, ...], list[Table]](list)
    for table in profiled.catalog.tables:
        by_words[tuple(words_of_name(table.ref.name))].append(table)
    paths: dict[TableRef, set[str]] = {}
    for table in profiled.catalog.tables:
        paths[table.ref] = {column.path for column in table.columns if not column.depth}
    found = dict[TableRef, TableRef]()
    for table in profiled.catalog.tables:
        words, own = words_of_name(table.ref.name), paths[table.ref]
        spans = {
            tuple(words[start:end])
            for start in range(len(words))
            for end in range(start + 1, len(words) + 1)
        }
        likely = [
            other
            for span in spans
            for other in by_words.get(span, ())
            if other.ref.schema != table.ref.schema
            and len(own & paths[other.ref]) >= max(_LEAST_SHARED, _LEAST_SHARE * len(own))
            and (pointed[other.ref], len(paths[other.ref])) > (pointed[table.ref], len(own))
        ]
        if likely:
            found[table.ref] = max(
                likely,
                key=lambda other: (
                    len(own & paths[other.ref]),
                    pointed[other.ref],
                    len(paths[other.ref]),
                ),
            ).ref
    # A copy of a copy is one of the first; none leads back, as each original is greater.
    while again := {copy: found[original] for copy, original in found.items() if original in found}:
        found |= again
    return found
