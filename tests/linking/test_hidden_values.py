"""Private values appear in no text or page, even if a profile holds them."""

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from linker.catalog.description import statistics_line
from linker.catalog.documents import write_documents
from linker.catalog.profile import column_profile
from linker.environment import Environment
from linker.linking.mschema import described
from linker.linking.result import LinkedColumn, LinkedSchema, LinkedTable
from linker.output import FORMATS, render
from linker.output.card import render_card
from linker.output.notebook_results import column_html, schema_html, table_html
from linker.output.profile_card import table_card
from linker.serve.code_labels import CodeLabels
from linker.serve.explorer.html import page
from linker.serve.explorer.pages import Pages, Paging, Standing
from linker.serve.lineage import Lineage
from linker.serve.tools_describe import column_values, describe
from linker.serve.value_search import search_values
from linker.types import ColumnRef, TableRef
from tests.linking.shop import ShopEnvironment, build

ACCOUNTS = TableRef("crm", "accounts")
PASSCODE = ColumnRef(ACCOUNTS, "passcode")
# A value, a figure as each format writes it, and a day.
SECRETS = ("sesame", "918273", "918,273", "9.183e+05", "1913-07-19")
# These contain no values of any column.
WITHOUT_VALUES = {"answer as ddl", "answer as table", "answer in a notebook"}


def planted(folder: Path, privacy: str) -> ShopEnvironment:
    """A warehouse whose profile holds all that it may of a column that is shown."""
    texts = ["sesame-1", "sesame-1", "sesame-2"]
    columns = [
        ("account_id", "BIGINT", "identifier", "show", [1, 2, 3]),
        ("passcode", "VARCHAR", "category", privacy, texts),
    ]
    build(folder, {"crm.accounts": columns})
    shown = "aaaaaa-9" if privacy == "mask" else "sesame-1"
    counts = json.dumps([{"value": shown, "count": 2}])
    bins = json.dumps([{"from": 918_273, "to": 918_280, "share": 1.0}])
    quantiles = json.dumps([918_273 + step / 3 for step in range(21)])
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute(
            "update shop_linker.linker_profile_l1 set value_kind = 'number' where column_path = 'passcode'"
        )
        connection.execute(
            "update shop_linker.linker_profile_l2 set representative_values = ?, patterns = ?"
            " where column_path = 'passcode'",
            (counts, counts),
        )
        connection.execute(
            "update shop_linker.linker_profile_l3 set mean = 918273, deviation = 918273, quantiles = ?,"
            " histogram = ?, first_day = '1913-07-19', last_day = '1913-07-19'"
            " where column_path = 'passcode'",
            (quantiles, bins),
        )
    return ShopEnvironment(folder)


def texts_of(environment: Environment) -> Iterator[tuple[str, str]]:
    """Every format of the table and of the column, by name."""
    indexed, profile = environment.indexed, environment.profile_of(ACCOUNTS)
    column, told = column_profile(profile, "passcode"), indexed.describe(PASSCODE)
    assert profile
    assert column
    yield "line of a prompt", told.line()
    yield "line of an agent", told.short_line(told.facts.values, with_type=True)
    yield "statistics of a prompt", statistics_line(column)
    [table] = indexed.catalog.tables
    linked = LinkedTable(table, tuple(LinkedColumn(item, 0.5, "") for item in table.columns))
    schema = described(LinkedSchema("q", "shop.dev", "shortlist", (linked,)), indexed.facts)
    for form in FORMATS:
        yield f"answer as {form}", render(schema, form, width=200, explain=True)
    yield "answer in a notebook", schema_html(schema)
    for form in ("table", "json"):
        for explain in (False, True):
            name = f"{form} {'explained' if explain else ''}"
            yield f"card of the table as {name}", render_card(profile, None, form, explain=explain)
            yield f"card as {name}", render_card(profile, column, form, explain=explain)
    yield "card in a notebook", column_html(profile, column)
    yield "card of the table in a notebook", table_html(profile)
    yield "page", Pages(is_served=False).column(environment, ACCOUNTS, "passcode")
    card, pages = table_card(profile), Paging("accounts", 1, 1)
    shown = {"card": card, "columns": card.columns, "members": (), "siblings": (), "known": {}}
    shown |= {"standing": Standing(), "pages": pages, "served": False, "lineage": Lineage()}
    shown["schema"] = schema
    labels = CodeLabels(environment)
    shown["labels"] = {
        item.column.path: labels.get(item.ref, ["sesame-1", "sesame-2"]) for item in card.columns
    }
    yield "page of the table", page("table", "accounts.html", **shown)
    for name, lookup in (
        ("describe", describe(environment, ["crm.accounts"], "", names_only=False)),
        ("values", column_values(environment, ["crm.accounts.passcode"], "", 50, statistics=True)),
        ("search_values", search_values(environment, ["sesame-1"], 20)),
    ):
        text = "\n".join(lookup.lines)
        # The request is repeated.
        yield name, text.replace("“sesame-1”", "")
    for document in write_documents(indexed.catalog, indexed.facts):
        if document.ref == PASSCODE:
            yield "document", f"{document.text} {document.values} {document.words}"


@pytest.mark.parametrize("privacy", ["mask", "hide", "exclude", "refuse"])
def test_no_format_has_a_value_that_may_not_be_shown(tmp_path: Path, privacy: str) -> None:
    with planted(tmp_path, privacy) as environment:
        found = {name: text.lower() for name, text in texts_of(environment)}
    leaks = {(name, secret) for name, text in found.items() for secret in SECRETS if secret in text}
    assert leaks == set()


def test_the_same_values_are_in_all_formats_where_they_may_be_shown(tmp_path: Path) -> None:
    with planted(tmp_path, "show") as environment:
        found = {name: text.lower() for name, text in texts_of(environment)}
    telling = set()
    for item in SECRETS:
        telling |= {name for name, text in found.items() if item in text}
    assert found.keys() - telling == WITHOUT_VALUES


@pytest.mark.parametrize("privacy", ["show", "mask", "hide"])
def test_statistics_tell_codes_with_their_labels_where_values_may_be_shown(
    tmp_path: Path, privacy: str
) -> None:
    with planted(tmp_path, privacy) as environment:
        column = column_profile(environment.profile_of(ACCOUNTS), "passcode")
        assert column
        line = statistics_line(column, "sesame-1 = first door, sesame-2 = second door")
    assert ("most frequent sesame-1 = first door (2)" in line) == (privacy == "show")
    assert ("first door" in line) == (privacy == "show")
