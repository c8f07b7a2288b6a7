"""
Names near a question: enters what was retrieved, leaves the words that call a table or column, or
say little.
"""

from functools import cached_property, lru_cache

from linker.ranking.question import says_little
from linker.retrieval.retrieved import Retrieved
from linker.text.words import EVERYDAY, parts, squashed, stem, words_of_name


class NearNames:
    """The names of tables and columns near a question, and what words of it are beside them."""

    def __init__(self, retrieved: Retrieved) -> None:
        self._retrieved = retrieved
        self._common: dict[str, bool] = {}

    @cached_property
    def _called(self) -> set[str]:
        """The words that call a table or a column."""
        columns = (ref.path.rpartition(".")[2] for ref in self._retrieved.hits.refs)
        tables = (ref.name for ref in self._retrieved.table_hits.refs)
        return {as_word(name) for name in (*columns, *tables)}

    @cached_property
    def _nouns(self) -> set[str]:
        """The words that stand in the name of one."""
        columns = (ref.path for ref in self._retrieved.hits.refs)
        tables = (ref.name for ref in self._retrieved.table_hits.refs)
        return set().union(*map(nouns_of, (*columns, *tables)))

    def has(self, word: str) -> bool:
        """True of a word that calls a table or a column."""
        return word in self._called

    def stands(self, word: str) -> bool:
        """True of a word that stands in the name of one."""
        return word in self._nouns

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
        return is_a_name or all(
            word in EVERYDAY or says_little(word) or self.has(word) for word in stems
        )


@lru_cache(maxsize=100_000)
def nouns_of(name: str) -> frozenset[str]:
    """The words of a name."""
    return frozenset(words_of_name(name))


@lru_cache(maxsize=100_000)
def as_word(name: str) -> str:
    """A name as a word says it."""
    return stem(squashed(name))
