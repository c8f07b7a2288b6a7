"""Names near a question: enters what was retrieved, leaves the words that call a table or column, or say little."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property, lru_cache
from threading import Lock

from linker.catalog.snapshot import ProfiledCatalog
from linker.ranking.question import says_little
from linker.retrieval.retrieved import Retrieved
from linker.text.words import EVERYDAY, parts, squashed, stem, words_of_name
from linker.types import ColumnRef, Ref


class MetNames:
    """
    The names that were near a question before, each read once.

    By words, the numbers of documents that they call, and of those in whose names they stand.
    """

    def __init__(self) -> None:
        self.called, self.standing = defaultdict[str, set[int]](set), defaultdict[str, set[int]](set)
        self._met, self._lock = set[int](), Lock()

    def meet(self, near: Mapping[int, Ref]) -> None:
        """Read the names of these, by their numbers."""
        with self._lock:
            for key in near.keys() - self._met:
                ref = near[key]
                name = ref.path if isinstance(ref, ColumnRef) else ref.name
                self.called[as_word(name.rpartition(".")[2] if isinstance(ref, ColumnRef) else name)].add(key)
                for noun in nouns_of(name):
                    self.standing[noun].add(key)
                self._met.add(key)


def met_names(_: ProfiledCatalog) -> MetNames:
    """Those of a catalogue, of which no name was near a question yet."""
    return MetNames()


class NearNames:
    """The names of tables and columns near a question, and what words of it are beside them."""

    def __init__(self, retrieved: Retrieved, names: MetNames) -> None:
        self._retrieved, self._names = retrieved, names
        self._common: dict[str, bool] = {}

    @cached_property
    def _keys(self) -> set[int]:
        """The numbers of what is near."""
        hits, tables = self._retrieved.hits, self._retrieved.table_hits
        near = dict(zip((*hits.keys.tolist(), *tables.keys.tolist()), (*hits.refs, *tables.refs), strict=True))
        self._names.meet(near)
        return {*near}

    def has(self, word: str) -> bool:
        """True of a word that calls a table or a column."""
        return not self._keys.isdisjoint(self._names.called.get(word, ()))

    def stands(self, word: str) -> bool:
        """True of a word that stands in the name of one."""
        return not self._keys.isdisjoint(self._names.standing.get(word, ()))

    def is_common(self, words: str) -> bool:
        """True if words can be said of anything, or are the name of a table or a column."""
        if words not in self._common:
            self._common[words] = self._is_common(words)
        return self._common[words]

    def _is_common(self, words: str) -> bool:
        joined = as_word(words)
        if words.isupper() and len(words) > 1:
            # An abbreviation such as IT is no word of every day.
            return self.has(joined)
        is_a_name = any(self.has(f"{joined}{ending}") for ending in ("", "n", "en"))
        stems = map(stem, parts(words))
        return is_a_name or all(word in EVERYDAY or says_little(word) or self.has(word) for word in stems)


@lru_cache(maxsize=100_000)
def nouns_of(name: str) -> frozenset[str]:
    """The words of a name."""
    return frozenset(words_of_name(name))


@lru_cache(maxsize=100_000)
def as_word(name: str) -> str:
    """A name as a word says it."""
    return stem(squashed(name))
