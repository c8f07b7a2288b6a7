"""
Tables that a question may need beside those described, each with its best columns.

Ranking and retrieval take turns, as each finds tables that the other misses. Originals stand for
their copies, and current tables for obsolete ones.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import chain, zip_longest

from linker.catalog.description import column_name
from linker.environment import Environment
from linker.linking.result import LinkedSchema
from linker.ranking.near_duplicates import originals
from linker.ranking.query_analysis import QuestionWords, is_generic
from linker.ranking.table_tokens import is_of_loading
from linker.serve.column_text import UNINFORMATIVE, tells_time
from linker.serve.tools_list import successors
from linker.strategies.shortlist import RANKING_STEP
from linker.text.words import stem, word_list, words_of_name
from linker.types import ColumnRef, TableRef

_MAX_TABLES = 4
_COLUMNS_NAMED = 3
# Words that mark an outdated table.
_KEPT = frozenset(map(stem, word_list("naming_kept")))
# Cognates are long and differ in few letters.
_MIN_COGNATE = 6
_COGNATE = 0.75


class FurtherTables:
    """Tables of a question by ranking and retrieval, with their columns, best first."""

    def __init__(
        self, environment: Environment, schema: LinkedSchema, question: QuestionWords
    ) -> None:
        self._indexed = environment.indexed
        self._originals = environment.derive(originals)
        self._successors = environment.derive(successors)
        self._words = informative_words(question)
        self._columns = dict[TableRef, list[str]]()
        answer = self._read(chain.from_iterable(linked.column_refs for linked in schema.tables))
        seen = dict(schema.seen)
        ranked, retrieved = map(self._read, (seen.get(RANKING_STEP, ()), seen.get("retrieval", ())))
        turns = chain.from_iterable(zip_longest(ranked, retrieved))
        self.refs = tuple(dict.fromkeys(ref for ref in (*answer, *turns) if ref))

    def _read(self, refs: Iterable[ColumnRef]) -> list[TableRef]:
        """Current originals of columns, whose names are kept."""
        tables = dict[TableRef, None]()
        for ref in refs:
            table = self._originals.get(ref.table, ref.table)
            table = self._successors.get(table, table)
            tables[table] = None
            if ref.path in self._indexed.catalog.table_by_ref[table].column_by_path:
                self._columns.setdefault(table, []).append(ref.path)
        return list(tables)

    def lines(self, shown: Collection[TableRef]) -> Iterator[str]:
        """The first tables that are not shown: those that the question names, link tables last."""
        others = [ref for ref in self.refs if ref not in shown and self._tells_more(ref)]
        others.sort(key=lambda ref: (self._only_joins(ref), not self._is_named(ref)))
        if others:
            yield "further tables:"
        for ref in others[:_MAX_TABLES]:
            columns = ", ".join(
                self._indexed.describe(ColumnRef(ref, path)).named for path in self._best(ref)
            )
            yield f"  {column_name(str(ref))}{f': {columns}' if columns else ''}"

    def _tells_more(self, ref: TableRef) -> bool:
        """Whether a table has more than a period, which matches any question with a time."""
        columns = [self._indexed.describe(ColumnRef(ref, path)) for path in self._best(ref)]
        return not columns or not all(map(tells_time, columns))

    def _best(self, table: TableRef) -> Sequence[str]:
        """Columns that differ between rows and describe them."""
        columns = self._indexed.catalog.table_by_ref[table].column_by_path
        paths = list[str]()
        for path in dict.fromkeys(self._columns.get(table, ())):
            facts = self._indexed.facts.get(ColumnRef(table, path))
            if facts.category not in UNINFORMATIVE and not is_of_loading(columns[path]):
                paths.append(path)
        return paths[:_COLUMNS_NAMED]

    def _only_joins(self, ref: TableRef) -> bool:
        """Whether all columns are keys or load metadata."""
        for column in self._indexed.catalog.table_by_ref[ref].columns:
            known = self._indexed.facts.get(ColumnRef(ref, column.path))
            if not (known.points_to or known.is_primary_key or is_of_loading(column)):
                return False
        return True

    def _is_named(self, ref: TableRef) -> bool:
        """
        Whether the question has all informative words of a name, also as synonyms (orders for
        purchases) or cognates (Katalog for catalogue).
        """
        words = [word for word in words_of_name(ref.name) if word not in _KEPT]
        return bool(words) and all(map(self._is_in_question, words))

    def _is_in_question(self, word: str) -> bool:
        if word in self._words or len(word) < _MIN_COGNATE:
            return word in self._words
        return bool(get_close_matches(word, self._words, n=1, cutoff=_COGNATE))


def informative_words(question: QuestionWords) -> set[str]:
    """Informative words of a question, and their synonyms."""
    words = {word for word in question.words if not is_generic(word)}
    return words.union(*question.synonyms)
