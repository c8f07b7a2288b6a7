"""Lexicons that are put together of tables that were read before say the same as those of tables that are read anew."""

import random

import numpy as np

from linker.catalog.facts import ColumnFacts, Facts
from linker.catalog.snapshot import ProfiledCatalog
from linker.ranking.known import know
from linker.ranking.ranker import rank
from linker.ranking.table_words import ReadTables
from linker.ranking.weights import read_weights
from linker.types import Catalog, Column, ColumnRef, Table, TableRef

WORDS = ("order", "customer", "total", "paid", "carrier", "city", "zip", "late", "day", "name", "open", "stock")
VALUES = ("Leipzig", "on the way", "7", "Hermes", "42", "Leipzig Süd")
QUESTIONS = ("Which carrier is late in Leipzig?", "customer name by zip code", "orders on the way, by city", "")


def generated() -> ProfiledCatalog:
    chance = random.Random(5)
    tables, known = [], {}
    for number in range(30):
        ref = TableRef(f"schema_{number % 3}", "_".join([*chance.sample(WORDS, 2), str(number)]))
        columns = []
        for position in range(chance.randint(2, 9)):
            path = "_".join([*chance.sample(WORDS, chance.randint(1, 2)), str(position)])
            told = " ".join(chance.choices(WORDS, k=4)) if chance.random() < 0.5 else None
            columns.append(Column(path, path, 0, position, "VARCHAR", is_nullable=True, description=told))
            held = tuple(chance.sample(VALUES, chance.randint(0, 4)))
            known[ColumnRef(ref, path)] = ColumnFacts(category="category", distinct_count=len(held), values=held)
        tables.append(Table(ref, "table", "of " + " and ".join(chance.sample(WORDS, 2)), 10, tuple(columns)))
    return ProfiledCatalog(Catalog(tuple(tables), len(tables)), Facts(known))


def test_a_part_of_a_catalogue_is_ranked_the_same_whatever_was_read_before() -> None:
    warehouse, weights = generated(), read_weights()
    read, chance = ReadTables(warehouse.facts), random.Random(7)
    for question in QUESTIONS * 3:
        part = Catalog(tuple(chance.sample(warehouse.catalog.tables, 12)), 12)
        again = rank(question, know(part, warehouse.facts, read), weights)
        anew = rank(question, know(part, warehouse.facts), weights)
        assert again.known.lexicon.refs == anew.known.lexicon.refs
        assert np.array_equal(again.tables, anew.tables)
        assert np.array_equal(again.columns, anew.columns)


def test_a_value_is_found_in_the_columns_that_hold_it_as_it_is_compared() -> None:
    warehouse = generated()
    lexicon = know(warehouse.catalog, warehouse.facts).lexicon
    holding = [place for place, ref in enumerate(lexicon.refs) if "Leipzig" in warehouse.facts.of(ref).values]
    assert lexicon.values_at.of("leipzig").tolist() == holding
    # A single digit stands everywhere and tells nothing.
    assert not len(lexicon.values_at.of("7"))
    assert not len(lexicon.values_at.of("nowhere"))
