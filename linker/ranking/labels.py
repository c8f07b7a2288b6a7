"""
Labels: what people call the things of a table; enter a table, or a ranking, leaves its labels, or
those behind keys.

Who asks which customers, or for a figure by warehouse, wants to read names, and likely tables often
hold keys alone.
"""

import numpy as np

from linker.catalog.facts import ColumnFacts
from linker.ranking.ranker import Ranked
from linker.ranking.roles import ROLES, roles_of
from linker.ranking.table_words import Floats
from linker.text.words import stem, words_of_name
from linker.types import Column, Table

_ASKING = frozenset(("name", "group"))
_OF_NAMES = frozenset(
    map(stem, ("name", "title", "label", "fullname", "firstname", "lastname", "surname"))
)
_OF_PEOPLE = frozenset(
    map(stem, ("first", "last", "given", "family", "firstname", "lastname", "surname"))
)
_BESIDE_NAMES = frozenset(map(stem, ("full", "display")))
_NAMES_OF_PERSON = 2
_NO_TEXT = [ROLES.index(f"{kind}_type") for kind in ("time", "number", "boolean", "open")]
_LIKELY_TABLES = 3
_MOST_LABELS = 3
# A key that measures or declarations prove, and that comes so early, brings its label so many
# places later.
_SURE = 0.85
_EARLY = 40
_TURNS = 6


def labels_of(table: Table) -> tuple[int, ...]:
    """
    The places of the columns that say in words which thing a row is: one, or first and last name;
    often none.
    """
    own = _OF_NAMES | _BESIDE_NAMES | set(words_of_name(table.ref.name))
    whole, person = list[int](), list[int]()
    for place, column in enumerate(table.columns):
        words = set(words_of_name(column.path))
        if _is_name(column) and words & _OF_PEOPLE:
            person.append(place)
        elif _is_name(column) and words <= own:
            whole.append(place)
    return tuple(whole[:1] or person[:_NAMES_OF_PERSON])


def _is_name(column: Column) -> bool:
    words = words_of_name(column.path)
    if column.depth or _OF_NAMES.isdisjoint(words):
        return False
    roles = roles_of(column, words, (), ColumnFacts())
    return not any(roles[kind] for kind in _NO_TEXT)


def labels_behind_keys(ranked: Ranked, turns: Floats) -> dict[int, float]:
    """
    The labels that early keys of the likeliest tables lead to, where names or groups are asked for,
    and when.
    """
    if _ASKING.isdisjoint(ranked.evidence.matches.question.asks):
        return {}
    graph, lexicon = ranked.known.graph, ranked.known.lexicon
    likeliest = np.argsort(-ranked.tables, kind="stable")[:_LIKELY_TABLES]
    leads = (graph.points > 0) & (graph.confidence >= _SURE) & (turns[graph.left_column] <= _EARLY)
    edges = np.flatnonzero(leads & np.isin(graph.left, likeliest))
    begins: dict[int, float] = {}
    for edge in edges[np.argsort(turns[graph.left_column[edges]], kind="stable")]:
        begins.setdefault(int(graph.right[edge]), float(turns[graph.left_column[edge]]))
    return {
        int(lexicon.starts[table]) + place: begin + _TURNS
        for table, begin in list(begins.items())[:_MOST_LABELS]
        for place in labels_of(lexicon.tables[table])
    }
