"""The user's glossary in a question: enter the terms and a question, leave those that it touches and what they name."""

from collections.abc import Iterable

from linker.config.glossary import Term
from linker.errors import NameLookupError
from linker.names.lookup import find
from linker.ranking.business import runs
from linker.text.words import SAYING_NOTHING, parts, stem, words_of_name
from linker.types import Catalog, Record, Ref


class Meaning(Record, frozen=True):
    """
    A term that a question touches: the stem of its first word that says something, and what it means.

    `unknown` says of each name of it that leads nowhere why.
    """

    term: Term
    head: str
    refs: tuple[Ref, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The stems of the words that mean the same."""
        return tuple(stem for text in self.term.words for stem in words_of_name(text))


def touched(text: str, terms: Iterable[Term], catalog: Catalog) -> tuple[Meaning, ...]:
    """The terms whose words stand side by side in a question."""
    if not (terms := tuple(terms)):
        return ()
    stems = [stem(part) for part in parts(text)]
    phrases = {term: tuple(words_of_name(term.term)) for term in terms}
    spoken = set(runs(stems, max(map(len, phrases.values()))))
    return tuple(meaning_of(term, catalog) for term in terms if phrases[term] in spoken)


def meaning_of(term: Term, catalog: Catalog) -> Meaning:
    """A term with the tables and columns that it names."""
    refs, unknown = list[Ref](), list[str]()
    for name in (*term.tables, *term.columns):
        try:
            refs.append(find(name, catalog))
        except NameLookupError as error:
            unknown.append(f"the glossary's `{term.term}` names what is not there: {error.what}; {error.hint}")
    stems = words_of_name(term.term)
    head = next((word for word in stems if word not in SAYING_NOTHING), "")
    return Meaning(term, head, tuple(refs), tuple(unknown))
