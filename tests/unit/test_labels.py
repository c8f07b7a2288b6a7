"""Label columns, and when an answer includes those behind its keys."""

import pytest
from msgspec.structs import replace

from linker.catalog.column_metadata import Facts, KeyPair
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.column_selection import allocate, labels_of
from linker.ranking.ranker import rank
from linker.ranking.weights import read_weights
from linker.types import Catalog, Columns, Table, TableRef
from tests.tables import table


def of_numbers(found: Table, path: str) -> Table:
    columns = Columns(
        replace(one, data_type="BIGINT") if one.path == path else one for one in found.columns
    )
    return replace(found, columns=columns)


@pytest.mark.parametrize(
    ("found", "labels"),
    [
        (table("sites", "site_id", "opened_on", "site_name", "owner_name"), ["site_name"]),
        (table("books", "id", "subtitle_language", "title"), ["title"]),
        (table("lookup", "code", "label"), ["label"]),
        (table("drivers", "driver_id", "forename", "surname"), ["forename", "surname"]),
        # What a small lookup says in words is its label, whatever it is called.
        (table("status", "status_id", "status"), ["status"]),
        (table("status", "status_id", "reason"), []),
        (
            table("people", "id", "first_name", "last_name", "last_remark", "mother_name"),
            ["first_name", "last_name"],
        ),
        (table("customers", "id", "given_name", "family_name", "full_name"), ["full_name"]),
        # A day is not called as its holiday is.
        (table("calendar", "day", "holiday_name"), []),
        (table("orders", "id", "amount"), []),
        (of_numbers(table("sites", "site_name", "title"), "site_name"), ["title"]),
    ],
)
def test_a_label_says_in_words_which_thing_a_row_is(found: Table, labels: list[str]) -> None:
    assert [found.columns[place].path for place in labels_of(found)] == labels


STOCK = table(
    "stock_levels",
    "stock_id",
    "depot_no",
    "pieces_in_stock",
    "counted_on",
    "shelf",
    "bin",
    "batch",
    "note",
)
DEPOTS = table(
    "depots",
    "depot_no",
    "zip",
    "street",
    "phone",
    "fax",
    "opened",
    "closed",
    "surface",
    "depot_name",
)


def stock(number: int) -> Table:
    pieces = [f"pieces_{piece}_{number}" for piece in range(9)]
    return table(f"stock_{number}", f"stock_{number}_id", *pieces)


OTHERS = tuple(map(stock, range(9)))


def place_of_label(question: str, confidence: float) -> int:
    """The place of the label behind the key of stock in the order of an answer."""
    key = KeyPair(STOCK.ref, ("depot_no",), DEPOTS.ref, ("depot_no",), confidence)
    tables = (STOCK, DEPOTS, *OTHERS)
    ranked = rank(
        question,
        build_catalog_index(Catalog(tables, len(tables)), Facts({}, (key,))),
        read_weights(),
    )
    order = allocate(ranked, 200).columns
    refs = [ranked.index.lexicon.refs[column] for column in order]
    return next(
        at
        for at, ref in enumerate(refs)
        if ref.table == TableRef("shop", "depots") and ref.path == "depot_name"
    )


def test_where_groups_are_asked_for_a_sure_key_brings_the_name_of_what_it_leads_to() -> None:
    by_group = place_of_label("How many pieces are in stock, by shelf?", 0.95)
    assert by_group < 15
    assert by_group < place_of_label("How many pieces are in stock, by shelf?", 0.5)
    assert by_group < place_of_label("How many pieces are in stock?", 0.95)
