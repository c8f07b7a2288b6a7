"""
Generates catalog, column metadata and questions of the index benchmark for a number of columns.

Vectors are sums of 64-dimensional word vectors embedded in 384 dimensions, so documents that share
words are close, as with a real encoder.
"""

import random
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, product
from zlib import crc32

import numpy as np

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.embedders import Vectors
from linker.text.words import words_of_text
from linker.types import Catalog, Column, ColumnRef, Columns, Table, TableRef

DIMENSION = 384
INTRINSIC = 64
COLUMNS_PER_TABLE = 20
QUESTIONS = 200
# As many values as a profile keeps of a short text; a category has few.
VALUES = {"category": 20, "text": 200}
SYLLABLES = list(map("".join, product("bcdfghklmnprstvz", "aeiou")))
TYPES = (
    ("VARCHAR", "category"),
    ("VARCHAR", "text"),
    ("BIGINT", "foreign_key"),
    ("DOUBLE", "measure"),
    ("DATE", "date"),
)


class WordVectors:
    """An instant encoder: a text is the sum of its words' vectors."""

    name = "sums of word vectors"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._known: dict[str, Vectors] = {}
        self._spread = (
            np.random.default_rng(1).normal(size=(INTRINSIC, DIMENSION)).astype(np.float32)
        )

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, each of length one."""
        return np.stack([self._embed(text) for text in texts])

    def _embed(self, text: str) -> Vectors:
        if text not in self._known:
            vector = np.sum([self._word(word) for word in [*words_of_text(text), ""]], axis=0)
            own = (
                np.random.default_rng(crc32(text.encode())).normal(size=DIMENSION)
                * np.linalg.norm(vector)
                * 0.02
            )
            self._known[text] = ((vector + own) / np.linalg.norm(vector + own)).astype(np.float32)
        return self._known[text]

    def _word(self, word: str) -> Vectors:
        if f" {word}" not in self._known:
            inner = (
                np.random.default_rng(crc32(word.encode()))
                .normal(size=INTRINSIC)
                .astype(np.float32)
            )
            self._known[f" {word}"] = inner @ self._spread
        return self._known[f" {word}"]


class Warehouse:
    """
    A generated catalogue: names of two or three words, of which some are frequent and most are
    rare.
    """

    def __init__(self, column_count: int) -> None:
        chance = random.Random(column_count)  # noqa: S311
        vocabulary = [
            "".join(chance.choices(SYLLABLES, k=chance.randint(2, 3)))
            for _ in range(2_000 + column_count // 20)
        ]
        frequencies = list(accumulate(1 / (rank + 10) for rank in range(len(vocabulary))))

        def words(count: int) -> list[str]:
            return chance.choices(vocabulary, cum_weights=frequencies, k=count)

        tables, known = [], {}
        for number in range(column_count // COLUMNS_PER_TABLE):
            ref = TableRef(f"schema_{number % 10}", "_".join([*words(2), str(number)]))
            columns = []
            for position in range(COLUMNS_PER_TABLE):
                kind, category = TYPES[position % len(TYPES)]
                path = "_".join([*words(chance.randint(1, 3)), str(position)])
                description = " ".join(words(8)) if chance.random() < 0.5 else None
                columns.append(
                    Column(path, path, 0, position, kind, is_nullable=True, description=description)
                )
                values = tuple(
                    " ".join(words(chance.randint(1, 3))) for _ in range(VALUES.get(category, 0))
                )
                known[ColumnRef(ref, path)] = ColumnFacts(category=category, values=values)
            description = " ".join(words(10)) if chance.random() < 0.5 else None
            tables.append(Table(ref, "table", description, 1_000, Columns(columns)))
        self.catalog, self.facts = Catalog(tuple(tables), len(tables)), Facts(known)
        self._chance = chance

    @cached_property
    def questions(self) -> list[str]:
        """
        Words of a few columns, of their tables and of a value, between words that say nothing.
        """
        asked = []
        for _ in range(QUESTIONS):
            table = self._chance.choice(self.catalog.tables)
            first, second = self._chance.sample(table.columns, 2)
            values = self.facts.get(ColumnRef(table.ref, table.columns[0].path)).values
            names = (
                *first.path.split("_")[:-1],
                *second.path.split("_")[:-1],
                *table.ref.name.split("_")[:-1],
            )
            asked.append(
                f"How many {' '.join(names)} were there for each of them with "
                f"{self._chance.choice(values)}?"
            )
        return asked
