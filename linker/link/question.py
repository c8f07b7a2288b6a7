"""
The question: a record of what it names, what values it binds, and what retrieval and ranking make
of it.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from linker.catalog.description import ColumnDescription
from linker.catalog.facts import ColumnFacts, Facts
from linker.link.bindings import Binding, bindings_of, bindings_of_terms
from linker.link.near_names import NearNames
from linker.ranking.question import Meaning, analyse
from linker.ranking.ranker import QuestionCatalog, Ranked
from linker.retrieval.retrieved import Retrieved
from linker.text.literals import Thing
from linker.text.periods import Period
from linker.text.quantities import Number
from linker.text.reader import read_text
from linker.text.words import squashed, stem
from linker.types import Catalog, ColumnRef, Record

_MOST_BINDINGS = 12


class Mentions(Record, frozen=True):
    """
    Things that a question names: texts in quotation marks, codes and names, periods, numbers and
    values of columns.

    `names` are written as in code.
    """

    question: str
    things: tuple[Thing, ...] = ()
    periods: tuple[Period, ...] = ()
    numbers: tuple[Number, ...] = ()
    names: tuple[str, ...] = ()
    bindings: tuple[Binding, ...] = ()

    @property
    def facts(self) -> tuple[Binding, ...]:
        """The bindings that are sure."""
        return tuple(binding for binding in self.bindings if binding.is_sure)

    @property
    def unbound(self) -> tuple[str, ...]:
        """
        Texts, codes and names for which no column is known to hold a value, not even one that may
        be meant.
        """
        found = (thing.words for thing in self.things if thing.is_sure and not self._binds(thing))
        return tuple(dict.fromkeys(found))

    def _binds(self, thing: Thing) -> bool:
        """True of a thing that is a name or a period, or of which a binding speaks."""
        own = thing.words.casefold()
        bound = (binding.words.casefold() for binding in self.bindings)
        return (
            squashed(thing.words) in self.names
            or any(each.start < thing.end and thing.start < each.end for each in self.periods)
            or any(words in own or own in words for words in bound)
        )


def read_mentions(
    question: str,
    retrieved: Retrieved,
    catalog: Catalog,
    facts: Facts,
    meanings: Iterable[Meaning] = (),
) -> Mentions:
    """
    Everything that the question names, the surest binding first; `meanings` are terms of the
    glossary in it.
    """
    read, near = read_text(question), NearNames(retrieved)
    bindings = (
        *bindings_of_terms(meanings, facts),
        *bindings_of(read, retrieved.hits, near, catalog, facts),
    )
    things = (
        thing
        for thing in read.things
        if thing.kind != "name" or not near.has(stem(squashed(thing.words)))
    )
    return Mentions(
        question=question,
        things=tuple(things),
        periods=read.periods,
        numbers=read.numbers,
        names=tuple(sorted(analyse(question).spelt)),
        bindings=bindings[:_MOST_BINDINGS],
    )


class LinkedQuestion(Record, frozen=True):
    """
    A question, what it names, the catalogue, and what retrieval and ranking make of them.

    `catalog` and `facts` are whole; `read.known` and `ranked` hold of a large catalogue what comes
    first.
    """

    question: str
    mentions: Mentions
    catalog: Catalog
    facts: Facts
    read: QuestionCatalog
    ranked: Ranked

    def facts_of(self, ref: ColumnRef) -> ColumnFacts:
        """
        The facts of a column; the keys that only a copy of its table leads to are its own as well.
        """
        own = self.facts.of(ref)
        copies = () if own.points_to else self.read.siblings.get(ref.table, ())
        found = (self.facts.of(ColumnRef(copy, ref.path)).points_to for copy in copies)
        keys = next(filter(None, found), ())
        return replace(own, points_to=keys) if keys else own

    def describe(self, ref: ColumnRef) -> ColumnDescription:
        """What is told of a column."""
        table = self.catalog.table_by_ref[ref.table]
        return ColumnDescription(table, table.column_by_path[ref.path], self.facts_of(ref))
