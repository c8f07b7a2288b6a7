"""Archives, backups and old versions rank below the table in use."""

import pytest
from msgspec.structs import replace

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.near_duplicates import archived_tables
from linker.ranking.ranker import rank
from linker.ranking.weights import read_weights
from linker.types import Catalog, ColumnRef, Table, TableRef
from tests.tables import table

PARCELS = table("parcels", "parcel_id", "courier_code", "handed_over_at", "weight_g")
OTHERS = (table("couriers", "courier_code", "label"), table("invoices", "invoice_id", "total"))


def pairs(*tables: Table) -> dict[str, str]:
    return {
        str(tables[pair.index].ref): str(tables[pair.original].ref)
        for pair in archived_tables(tables)
    }


def order(question: str, *tables: Table) -> list[str]:
    ranked = rank(question, build_catalog_index(Catalog(tables, len(tables))), read_weights())
    return [
        ranked.index.lexicon.tables[place].ref.name
        for place in (-ranked.tables).argsort(kind="stable")
    ]


def in_schema(schema: str, found: Table) -> Table:
    return replace(found, ref=TableRef(schema, found.ref.name))


@pytest.mark.parametrize(
    "name",
    [
        "parcels_archive",
        "archived_parcels",
        "parcels_old",
        "ParcelsBackup",
        "parcels_bak_20240131",
        "tmp_parcels",
    ],
)
def test_a_name_and_columns_say_that_a_table_is_kept_beside_another(name: str) -> None:
    assert pairs(PARCELS, table(name, "parcel_id", "courier", "weight_g")) == {
        f"shop.{name}": "shop.parcels"
    }


def test_a_schema_of_backups_says_so_as_well() -> None:
    assert pairs(PARCELS, in_schema("backup_2023", PARCELS)) == {
        "backup_2023.parcels": "shop.parcels"
    }


def test_of_several_versions_the_last_is_in_use() -> None:
    rates = [table(f"rates_v{number}", "zone", "cents") for number in (1, 2, 10)]
    assert pairs(*rates) == {"shop.rates_v1": "shop.rates_v10", "shop.rates_v2": "shop.rates_v10"}


def test_a_table_with_other_columns_or_more_rows_is_none_of_them() -> None:
    longer = replace(table("parcels_archive", "parcel_id", "weight_g"), row_count_estimate=900)
    assert pairs(PARCELS, table("parcels_archive", "box", "shelf", "parcel_id")) == {}
    assert pairs(replace(PARCELS, row_count_estimate=100), longer) == {}
    assert pairs(PARCELS, table("parcels_returned", "parcel_id", "weight_g")) == {}


def test_what_is_kept_is_ranked_after_the_table_in_use_unless_it_is_asked_for() -> None:
    archive = table("parcels_archive", "parcel_id", "courier", "handed_over_at")
    plain = order("Which courier hands over late?", archive, PARCELS, *OTHERS)
    assert plain.index("parcels") < plain.index("parcels_archive")
    asked = order("Which courier is in the archive of parcels?", archive, PARCELS, *OTHERS)
    assert asked.index("parcels_archive") < asked.index("parcels")


def test_one_value_beside_nulls_says_yes_or_no_and_is_not_constant() -> None:
    seen = table("visits", "visit_id", "bought", "source")
    facts = {
        ColumnRef(seen.ref, "bought"): ColumnFacts("flag", 1, values=("1",), null_count=1),
        ColumnRef(seen.ref, "source"): ColumnFacts("category", 1, values=("web",)),
    }
    assert build_catalog_index(Catalog((seen,), 1), Facts(facts)).lexicon.trait(
        "is_constant"
    ).tolist() == [
        0,
        0,
        1,
    ]
