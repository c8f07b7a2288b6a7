"""Profile cards, as golden files."""

import re
from collections.abc import Callable

import pytest
from rich.cells import cell_len

from linker.catalog.profile import ColumnProfile, TableProfile, read_profile
from linker.catalog.read_catalog import Artifacts
from linker.identifiers.resolver import find
from linker.output.card import render_card
from linker.types import Catalog, TableRef

Golden = Callable[[str, str], None]
Read = Callable[[str], tuple[TableProfile, ColumnProfile | None]]

NAMES = (
    "sales.orders",
    "sales.returns",
    "crm.customers",
    "crm.customers_archive",
    "crm.Orders",
    "web.sessions_*",
    "sales.orders.order_id",
    "sales.orders.customer_id",
    "sales.orders.status",
    "sales.orders.amount",
    "sales.orders.ordered_at",
    "sales.orders.note",
    "sales.orders.payload",
    "sales.orders.payload.channel",
    "sales.orders.receipt",
    "sales.orders.legacy_flag",
    "sales.returns.order_id",
    "crm.customers.email",
    "crm.customers.iban",
    'crm.customers."Geburtsjahr (ca.)"',
    "crm.customers.newsletter",
    "crm.customers_archive.customer_id",
    "crm.Orders.order_id",
    "web.sessions_*.hits",
    "web.sessions_*.hits.page.title",
)


@pytest.fixture
def read(artifacts: Artifacts, catalog: Catalog) -> Read:
    """The profile that a name means."""

    def profile_of(name: str) -> tuple[TableProfile, ColumnProfile | None]:
        ref = find(name, catalog)
        if isinstance(ref, TableRef):
            return read_profile(artifacts, catalog.table_by_ref[ref]), None
        profile = read_profile(artifacts, catalog.table_by_ref[ref.table])
        return profile, next(column for column in profile.columns if column.path == ref.path)

    return profile_of


@pytest.mark.parametrize("width", [80, 120])
def test_the_cards_are_as_the_golden_file_shows_them(
    width: int, read: Read, golden: Golden
) -> None:
    cards = (render_card(*read(name), "table", width=width) for name in NAMES)
    golden(f"render/cards_{width}.txt", "\n\n\n".join(cards))


@pytest.mark.parametrize("name", ["sales.orders.status", "crm.customers"])
def test_the_json_of_a_card_is_as_the_golden_file_shows_it(
    name: str, read: Read, golden: Golden
) -> None:
    golden(f"render/card_{name}.json", render_card(*read(name), "json", explain=True))


def test_a_narrow_card_cuts_no_figure(read: Read) -> None:
    narrow, usual = (
        render_card(*read("sales.orders"), "table", width=width).splitlines() for width in (60, 80)
    )
    # Share of nulls and distinct values, as in each line of a column.
    figures = re.compile(r"(\d+ %)\s+(~?[\d.,]+(?: [kM])?)(?=\s{2})")
    assert len(figures.findall("\n".join(usual))) > 3
    assert figures.findall("\n".join(narrow)) == figures.findall("\n".join(usual))


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_a_card_fits_the_width_it_is_given(width: int, read: Read) -> None:
    wider = {}
    for name in NAMES:
        lines = render_card(*read(name), "table", width=width).splitlines()
        if (widest := max(map(cell_len, lines))) > width:
            wider[name] = widest
    assert wider == {}


def test_colours_change_nothing_but_the_colours(read: Read) -> None:
    for name in NAMES:
        profile = read(name)
        plain, coloured = (render_card(*profile, "table", color=color) for color in (False, True))
        assert "\x1b" not in plain, name
        assert "\x1b" in coloured, name
        bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
        assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines(), name


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_value_from_the_warehouse_cannot_steer_the_terminal(form: str, read: Read) -> None:
    assert "\x1b" not in render_card(*read("sales.orders.note"), form)


@pytest.mark.parametrize(
    "name", ["crm.customers.iban", "crm.customers_archive.customer_id", "crm.Orders.order_id"]
)
def test_where_nothing_was_measured_there_is_no_figure(name: str, read: Read) -> None:
    card = render_card(*read(name), "table")
    said = [
        line
        for line in card.splitlines()[1:]
        if line.strip().startswith(("values", "distinct", "quantiles"))
    ]
    assert not any(re.search(r"\d", line) for line in said)


def test_the_counts_of_shapes_are_of_all_values_and_not_of_the_share_of_one(read: Read) -> None:
    card = render_card(*read("crm.customers.email"), "table")
    assert re.search(r"aaaa@aaaaaa.aaa .* 10\.1 % +812", card)
    assert re.search(r"all others +83\.5 % +6,688", card)


def test_values_that_come_once_are_examples_and_no_chart(read: Read) -> None:
    assert "all distinct; for example 1, 2, 3" in render_card(
        *read("sales.orders.order_id"), "table"
    )
