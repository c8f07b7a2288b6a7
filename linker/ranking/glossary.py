"""
The user's glossary in a question: enter the terms and a question, leave those that it touches and
what they name.
"""

from collections.abc import Iterable

from linker.config.glossary import Term
from linker.errors import NameLookupError
from linker.names.lookup import find
from linker.ranking.business import runs
from linker.text.words import SAYING_NOTHING, parts, stem, words_of_name
from linker.types import Catalog, Record, Ref

# What a metric of dbt is computed from is one way to answer, and a mart may have it ready.
_OF_PROJECT = 0.5


class Meaning(Record, frozen=True):
    """
    A term that a question touches: the stem of its first word that says something, and what it
    means.

    `unknown` says of each name of it that leads nowhere why.
    """

    term: Term
    head: str
    refs: tuple[Ref, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def weight(self) -> float:
        """How surely its columns are meant, from 0 to 1."""
        return 1.0 if self.term.source == "glossary" else _OF_PROJECT

    @property
    def words(self) -> tuple[str, ...]:
        """The stems of the words that mean the same."""
        return tuple(stem for text in self.term.words for stem in words_of_name(text))


def touched(text: str, terms: Iterable[Term], catalog: Catalog) -> tuple[Meaning, ...]:
    """
    The terms whose words stand side by side in a question; of two with the same words the first.
    """
    # Later ones are overwritten by earlier ones.
    phrases = {tuple(words_of_name(term.term)): term for term in reversed(tuple(terms))}
    if not phrases:
        return ()
    stems = [stem(part) for part in parts(text)]
    spoken = set(runs(stems, max(map(len, phrases))))
    return tuple(
        meaning_of(term, catalog) for phrase, term in reversed(phrases.items()) if phrase in spoken
    )


def meaning_of(term: Term, catalog: Catalog) -> Meaning:
    """A term with the tables and columns that it names."""
    refs, unknown = list[Ref](), list[str]()
    for name in (*term.tables, *term.columns):
        try:
            refs.append(find(name, catalog))
        except NameLookupError as error:
            unknown.append(
                f"the glossary's `{term.term}` names what is not there: {error.what}; {error.hint}"
            )
    stems = words_of_name(term.term)
    head = next((word for word in stems if word not in SAYING_NOTHING), "")
    return Meaning(term, head, tuple(refs), tuple(unknown))
