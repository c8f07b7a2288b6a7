"""Identical tables: an answer shows one and names the others."""

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from linker.catalog.column_metadata import NO_FACTS, ColumnFacts, Facts
from linker.catalog.description import heading
from linker.catalog.documents import write_documents
from linker.catalog.read_catalog import Artifacts, read_catalog, sibling_groups
from linker.catalog.snapshot import ProfiledCatalog, siblings_of
from linker.linking.result import LinkedTable, standing
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.column_selection import allocate
from linker.ranking.inverted_index import build_lexicon
from linker.ranking.near_duplicates import duplicate_groups
from linker.ranking.ranker import rank
from linker.ranking.weights import read_weights
from linker.strategies.shortlist_tables import ShortlistBuilder
from linker.types import Catalog, Column, ColumnRef, Columns, Table, TableRef
from linker.warehouses.duckdb import DuckDBWarehouse

PATHS = ("visit_id", "visitor", "page", "seconds")


def table(name: str, *paths: str, schema: str = "web") -> Table:
    columns = tuple(
        Column(path, path, 0, place, "VARCHAR", is_nullable=True, description=None)
        for place, path in enumerate(paths, start=1)
    )
    return Table(TableRef(schema, name), "table", None, None, Columns(columns))


def test_siblings_have_the_same_columns_in_whatever_order_and_case() -> None:
    tables = [
        table("visits", *PATHS),
        table("visits_2", *reversed(PATHS)),
        table("other", *PATHS, "country"),
        table("VISITS_OLD", *(path.upper() for path in PATHS), schema="old"),
    ]
    assert sibling_groups(tables) == ((0, 1, 3),)


def test_lookups_and_link_tables_are_no_siblings_of_one_another() -> None:
    lookup = ("id", "name", "parent", "child_order", "description")
    link = ("id", "link", "entity0", "entity1", "edits_pending", "last_updated")
    tables = [
        *(table(name, *lookup) for name in ("gender", "artist_type", "release_status")),
        *(table(name, *link) for name in ("l_artist_artist", "l_artist_work", "l_area_artist")),
        *(table(name, *PATHS) for name in ("dept_emp", "dept_manager")),
    ]
    assert sibling_groups(tables) == ()


def test_many_wide_tables_whose_names_differ_by_a_country_are_siblings() -> None:
    paths = [f"measure_{number}" for number in range(12)]
    countries = ("france", "japan", "peru", "chile", "kenya", "spain", "new_zealand", "iceland")
    tables = [table(f"visits_{country}", *paths) for country in countries]
    assert sibling_groups(tables) == (tuple(range(8)),)
    assert sibling_groups(tables[:7]) == ()
    assert sibling_groups([*tables[1:], table("visits_france", *paths[1:])]) == ()


def test_tables_of_three_columns_look_alike_by_chance() -> None:
    assert (
        sibling_groups(
            [table("brewery", "id", "name", "city"), table("customer", "id", "name", "city")]
        )
        == ()
    )


@given(st.lists(st.sets(st.sampled_from("abcdef"), min_size=1), max_size=8))
def test_every_table_is_in_one_group_at_most_and_groups_share_all_columns(
    paths: list[set[str]],
) -> None:
    tables = [table(str(number), *sorted(names)) for number, names in enumerate(paths)]
    groups = sibling_groups(tables)
    places = [place for group in groups for place in group]
    assert len(places) == len(set(places))
    for group in groups:
        assert len({frozenset(paths[place]) for place in group}) == 1


@pytest.mark.parametrize("named", ["2019", "2020", "2021"])
def test_the_sibling_that_the_question_names_is_shown_and_stands_for_the_others(named: str) -> None:
    visits = [table(f"visits_{year}", *PATHS) for year in ("2019", "2020", "2021")]
    catalog = Catalog((*visits, table("staff", *(f"staff_{number}" for number in range(9)))), 4)
    weights = read_weights()
    ranked = rank(f"average seconds of visits in {named}", build_catalog_index(catalog), weights)
    answer = ShortlistBuilder(
        ranked, weights, siblings_of(ProfiledCatalog(catalog, NO_FACTS)), (), allocate(ranked, 6)
    ).tables()
    shown = [one for one in answer if one.table.ref.name.startswith("visits")]
    assert [one.table.ref.name for one in shown] == [f"visits_{named}"]
    others = {f"visits_{year}" for year in ("2019", "2020", "2021")} - {f"visits_{named}"}
    assert {ref.name for ref in shown[0].stands_for} == others


def test_names_of_siblings_say_their_schema_where_it_is_another_and_end_after_twenty() -> None:
    linked = LinkedTable(
        table("north", *PATHS), (), (TableRef("web", "south"), TableRef("old", "north"))
    )
    assert standing(linked) == "same columns as south, old.north"
    many = replace(linked, stands_for=tuple(TableRef("web", f"t{number}") for number in range(22)))
    assert standing(many).endswith("t18, t19 and 2 more")
    assert standing(replace(linked, stands_for=())) == ""


def test_near_copies_and_tables_of_one_name_whose_columns_drift_are_kin() -> None:
    tables = [
        table("accidents_2015", *PATHS, "state", "weather"),
        table("accidents_2016", *PATHS, "place", "light"),
        table("accidents_2016", *PATHS, "place", "light", schema="old"),
        table("customers", "customer_id", *PATHS[1:], "city", "mail"),
        table("accidents", "id", "state"),
    ]
    # Four of eight columns and the name; all columns of the second; three of nine; too few columns.
    numbers = dict[str, int]()
    paths = np.array(
        [numbers.setdefault(path, len(numbers)) for item in tables for path in item.folded_paths()]
    )
    assert duplicate_groups(tables, paths).tolist() == [0, 0, 0, 3, 4]


def test_a_word_that_stands_in_copies_alone_is_as_rare_as_without_them() -> None:
    others_items = []
    for name in "abcdefgh":
        others_items.append(table(f"other_{name}", *(f"{name}_{number}" for number in range(4))))
    others = tuple(others_items)
    alone = build_lexicon(Catalog((table("visits_1", *PATHS), *others), 9), NO_FACTS)
    copies = tuple(table(f"visits_{number}", *PATHS) for number in range(1, 6))
    copied = build_lexicon(Catalog((*copies, *others), 13), NO_FACTS)
    for lexicon in (alone, copied):
        assert lexicon.column_rarity[lexicon.vocabulary.number("visitor")] == pytest.approx(
            np.log1p((36 - 1 + 0.5) / (1 + 0.5)), rel=1e-5
        )


def test_a_word_that_copies_alone_hold_as_a_value_is_as_rare_as_without_them() -> None:
    others_items = []
    for name in "abcdefgh":
        others_items.append(table(f"other_{name}", *(f"{name}_{number}" for number in range(4))))
    others = tuple(others_items)
    for count in (1, 5):
        copies = tuple(table(f"visits_{number}", *PATHS) for number in range(count))
        known = {ColumnRef(copy.ref, PATHS[1]): ColumnFacts(values=("Leipzig",)) for copy in copies}
        lexicon = build_lexicon(Catalog((*copies, *others), 8 + count), Facts(known))
        number = lexicon.vocabulary.number("leipzig")
        assert number is not None
        assert lexicon.value_rarity(number) == pytest.approx(
            np.log1p((36 - 1 + 0.5) / (1 + 0.5)), rel=1e-5
        )


def test_a_table_says_in_which_schemas_the_same_one_stands() -> None:
    connection = duckdb.connect()
    connection.execute("""
        create schema made;
        create table made.linker_tables as
        select schema_name, 'orders' as table_name, null::varchar as family_name, 'table' as table_kind,
            null::varchar as description, 7 as row_count_estimate, true as is_representative, 1 as member_number
        from (values ('tenant_a'), ('tenant_b')) as schemas (schema_name);
        create table made.linker_columns as
        select schema_name, table_name, 'order_id' as column_path, 'order_id' as column_name, 0 as depth, 1 as position,
            'INTEGER' as data_type, true as is_nullable, null::varchar as description, false as is_discovered
        from made.linker_tables;
        create table made.linker_families as
        select 'tenant_*' as schema_name, 'orders' as group_name, 'siblings' as kind, 'schema' as key_kind,
            'a' as first_key, 'b' as last_key, '["tenant_a.orders","tenant_b.orders"]' as members,
            null::varchar as representative, null::varchar as members_read, false as has_drifted;
    """)
    catalog = read_catalog(Artifacts(DuckDBWarehouse(connection), "made"))
    assert {str(table.ref): table.schemas for table in catalog.tables} == dict.fromkeys(
        ("tenant_a.orders", "tenant_b.orders"),
        "the same table in 2 schemas tenant_* by schema, a to b",
    )
    assert all(table.family is None and table.siblings == () for table in catalog.tables)
    [first, _] = catalog.tables
    assert (
        heading(first, ())
        == "tenant_a.orders (the same table in 2 schemas tenant_* by schema, a to b)"
    )
    [document, _] = write_documents(Catalog((first,), 1))
    assert "the same table stands in other schemas" in document.text
