"""Inverted indexes composed of cached tables equal freshly built ones."""

import random

import numpy as np

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.catalog.snapshot import ProfiledCatalog
from linker.index.base import key_of
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.near_duplicates import duplicate_groups
from linker.ranking.ranker import rank
from linker.ranking.table_tokens import ReadTables
from linker.ranking.weights import read_weights
from linker.retrieval.hits import Hits
from linker.types import Catalog, Column, ColumnRef, Columns, Hit, Table, TableRef

WORDS = (
    "order",
    "customer",
    "total",
    "paid",
    "carrier",
    "city",
    "zip",
    "late",
    "day",
    "name",
    "open",
    "stock",
)
VALUES = ("Leipzig", "on the way", "7", "Hermes", "42", "Leipzig Süd")
QUESTIONS = (
    "Which carrier is late in Leipzig?",
    "customer name by zip code",
    "orders on the way, by city",
    "",
)


def generated() -> ProfiledCatalog:
    chance = random.Random(5)
    tables, known = [], {}
    for number in range(30):
        ref = TableRef(f"schema_{number % 3}", "_".join([*chance.sample(WORDS, 2), str(number)]))
        columns = []
        for position in range(chance.randint(2, 9)):
            path = "_".join([*chance.sample(WORDS, chance.randint(1, 2)), str(position)])
            told = " ".join(chance.choices(WORDS, k=4)) if chance.random() < 0.5 else None
            columns.append(
                Column(path, path, 0, position, "VARCHAR", is_nullable=True, description=told)
            )
            held = tuple(chance.sample(VALUES, chance.randint(0, 4)))
            known[ColumnRef(ref, path)] = ColumnFacts(
                category="category", distinct_count=len(held), values=held
            )
        tables.append(
            Table(ref, "table", "of " + " and ".join(chance.sample(WORDS, 2)), 10, Columns(columns))
        )
    return ProfiledCatalog(Catalog(tuple(tables), len(tables)), Facts(known))


def test_a_part_of_a_catalogue_is_ranked_the_same_whatever_was_read_before() -> None:
    warehouse, weights = generated(), read_weights()
    read, chance = ReadTables(warehouse.facts), random.Random(7)
    for question in QUESTIONS * 3:
        part = Catalog(tuple(chance.sample(warehouse.catalog.tables, 12)), 12)
        again = rank(question, build_catalog_index(part, warehouse.facts, read), weights)
        anew = rank(question, build_catalog_index(part, warehouse.facts), weights)
        assert again.index.lexicon.refs == anew.index.lexicon.refs
        assert np.array_equal(again.tables, anew.tables)
        assert np.array_equal(again.columns, anew.columns)


def test_a_value_is_found_in_the_columns_that_hold_it_as_it_is_compared() -> None:
    warehouse = generated()
    lexicon = build_catalog_index(warehouse.catalog, warehouse.facts).lexicon
    holding = [
        place
        for place, ref in enumerate(lexicon.refs)
        if "Leipzig" in warehouse.facts.get(ref).values
    ]
    assert lexicon.values_at.get("leipzig").tolist() == holding
    # A single digit occurs everywhere and is uninformative.
    assert not len(lexicon.values_at.get("7"))
    assert not len(lexicon.values_at.get("nowhere"))


def test_the_columns_of_a_whole_catalogue_are_there_for_a_part_of_it_and_no_others() -> None:
    warehouse = generated()
    part = build_catalog_index(Catalog(warehouse.catalog.tables[:2], 2), warehouse.facts)
    inside, outside = (
        ColumnRef(table.ref, table.columns[0].path)
        for table in (warehouse.catalog.tables[0], warehouse.catalog.tables[9])
    )
    hits = Hits.create(
        [Hit(ref, 1.0, ()) for ref in (inside, ColumnRef(inside.table, "gone"), outside)]
    )
    assert part.existing_columns(hits, set()) == (inside,)
    met = set[int]()
    for _ in range(2):
        assert part.existing_columns(hits, met, warehouse.catalog) == (inside, outside)
    assert met == {key_of(inside), key_of(outside)}
    # Matches are not looked up again, and keep their order.
    assert part.existing_columns(Hits.create([hits[2], hits[0]]), met) == (outside, inside)


def test_a_struct_is_opened_and_paths_inside_of_it_lie_together() -> None:
    paths = [
        ("id", 0),
        ("device", 0),
        ("device.browser", 1),
        ("geo", 0),
        ("geo.city", 1),
        ("geo.city.name", 2),
    ]
    columns = tuple(
        Column(
            path,
            path.partition(".")[0],
            depth,
            place,
            "VARCHAR",
            is_nullable=True,
            description=None,
        )
        for place, (path, depth) in enumerate(paths)
    )
    lexicon = build_catalog_index(
        Catalog((Table(TableRef("shop", "visits"), "table", None, 1, Columns(columns)),), 1)
    ).lexicon
    opened = [
        path
        for (path, _), is_opened in zip(paths, lexicon.trait("is_opened"), strict=True)
        if is_opened
    ]
    assert opened == ["device", "geo", "geo.city"]
    assert lexicon.trait("inside").tolist() == [-1, -1, 2, -1, 4, 4]


def test_a_name_without_letters_is_shared_with_no_other_column() -> None:
    columns = tuple(
        Column(path, path, 0, place, "VARCHAR", is_nullable=True, description=None)
        for place, path in enumerate(("city", "_", "__", "City"))
    )
    known = build_catalog_index(
        Catalog((Table(TableRef("shop", "visits"), "table", None, 1, Columns(columns)),), 1)
    )
    assert known.name_counts.tolist() == [2, 1, 1, 2]


def test_kin_among_many_tables_are_those_that_comparing_sets_of_names_finds() -> None:
    chance = random.Random(3)
    names = [f"column_{number}" for number in range(90)]
    held = [frozenset(chance.sample(names, 20)) for _ in range(60)]
    # Near copies, with one to four columns of twenty changed; with three or four they are no duplicates.
    held += [
        frozenset([*sorted(some)[changed:], *chance.sample(names, changed)])
        for some in held
        for changed in (1, 4)
    ]
    tables = []
    for number, some in enumerate(held):
        name = "abcdefghij"[number % 10] + "klmnopqrst"[number // 10 % 10] + number // 100 * "x"
        columns = tuple(
            Column(path, path, 0, place, "VARCHAR", is_nullable=True, description=None)
            for place, path in enumerate(sorted(some))
        )
        tables.append(Table(TableRef("shop", name), "table", None, 1, Columns(columns)))
    first = list(range(len(held)))
    for place, some in enumerate(held):
        near = [
            other
            for other in range(place)
            if len(some & held[other]) >= 0.8 * len(some | held[other])
        ]
        first[place] = first[near[0]] if near else place
    paths = np.array([names.index(column.path) for table in tables for column in table.columns])
    assert duplicate_groups(tables, paths).tolist() == first
    assert len(set(first)) < len(first)


def test_every_value_that_a_profile_keeps_is_known_not_the_first_ten_alone() -> None:
    genres = [f"genre{number}" for number in range(24)] + ["Horror"]
    column = Column("name", "name", 0, 0, "VARCHAR", is_nullable=False, description=None)
    table = Table(TableRef("main", "category"), "table", None, 25, Columns((column,)))
    known = {
        ColumnRef(table.ref, "name"): ColumnFacts(
            category="category", distinct_count=25, values=tuple(genres)
        )
    }
    lexicon = build_catalog_index(Catalog((table,), 1), Facts(known)).lexicon
    assert lexicon.values_at.get("horror").tolist() == [0]
