"""Masked columns are found, counted and joined; one line of linker.yml unmasks them."""

import json
import re

from tests.refresh.shop import Shop

PEOPLE = """
    create schema crm;
    create table crm.customers as
        select printf('%d-45-%04d', 100 + range, 1000 + range) as tax_no, 'Zachs' || range % 12 as last_name,
            range % 3 as tier
        from range(60);
    create table crm.contracts as
        select range as contract_id, printf('%d-45-%04d', 100 + range % 60, 1000 + range % 60) as customer_tax_no,
            range * 10 as amount
        from range(200);
"""


def columns_of(shop: Shop, question: str) -> dict[str, list[str]]:
    done = shop.run("ask", question, "--format", "json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    found: dict[str, list[str]] = {}
    for table in answer["tables"]:
        found[f"{table['schema']}.{table['name']}"] = [
            column["path"] for column in table["columns"]
        ]
    return found


def test_a_masked_column_is_found_joined_and_shown_by_the_line_that_is_printed(shop: Shop) -> None:
    shop.execute(PEOPLE)
    shop.refresh()
    privacy = dict(
        shop.rows(
            "select table_name || '.' || column_path, privacy from main_linker.linker_profile_l2"
            " where schema_name = 'crm'"
        )
    )
    assert (
        privacy["customers.last_name"]
        == privacy["customers.tax_no"]
        == privacy["contracts.customer_tax_no"]
        == "mask"
    )

    assert (
        "last_name"
        in columns_of(shop, "How many customers are there per last name?")["crm.customers"]
    )
    joined = columns_of(
        shop, "What is the total amount of contracts by the last name of the customer?"
    )
    assert "last_name" in joined["crm.customers"]
    assert "amount" in joined["crm.contracts"]
    [edge] = shop.rows(
        "select to_table, to_columns from main_linker.linker_joins where from_table = 'contracts'"
    )
    assert edge == ("customers", '["tax_no"]')

    card = shop.run("show", "crm.customers.last_name").stdout
    assert "masked (name of a person detected)" in card
    assert "Zachs" not in card
    [line] = re.findall(r"show_columns: .*\]", card)
    (shop.folder / "linker.yml").write_text(line + "\n", "utf-8")
    shop.refresh()
    card = shop.run("show", "crm.customers.last_name").stdout
    assert "Zachs1" in card
    assert "show_columns" not in card
