"""Declared, tested and inferred joins of a small shop with known keys."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.warehouse.project import HERE, Consumer, run_dbt
from tests.warehouse.servers import start

LOYAL = ("loyal", '["customer_id"]', "customers", '["customer_id"]', "inferred")
# The next best, where that cannot be compared any more.
DETAILED = ("loyal", '["customer_id"]', "customer_details", '["customer_id"]', "inferred")
EXPECTED = {
    LOYAL,
    ("agents", '["reports_to"]', "agents", '["agent_no"]', "inferred"),
    ("answers", '["reply_to"]', "answers", '["answer_id"]', "inferred"),
    ("answers", '["topic_id"]', "topics", '["topic_id"]', "inferred"),
    ("clockings", '["employee_id"]', "employees", '["employee_id"]', "inferred"),
    ("clockings", '["employee_id","day"]', "shifts", '["employee_id","day"]', "inferred"),
    ("customer_details", '["customer_id"]', "customers", '["customer_id"]', "inferred"),
    ("customers", '["segment_code"]', "lkp_segment", '["code"]', "inferred"),
    ("employees", '["manager_id"]', "employees", '["employee_id"]', "inferred"),
    ("imports", '["customer"]', "customers", '["customer_id"]', "inferred"),
    ("order_lines", '["order_id"]', "orders", '["order_id"]', "inferred"),
    ("order_lines", '["product_id"]', "products", '["product_id"]', "declared"),
    ("orders", '["approved_by"]', "employees", '["employee_id"]', "inferred"),
    ("orders", '["channel_code"]', "lkp_channel", '["code"]', "inferred"),
    ("orders", '["customer_id"]', "customers", '["customer_id"]', "inferred"),
    ("orders", '["promotion_id"]', "promotions", '["id"]', "tested"),
    ("parcels", '["ship_via"]', "shippers", '["shipper_id"]', "inferred"),
    ("price_checks", '["product_id"]', "products", '["product_id"]', "inferred"),
    (
        "price_checks",
        '["region","product_id"]',
        "price_lists",
        '["region","product_id"]',
        "inferred",
    ),
    ("price_lists", '["product_id"]', "products", '["product_id"]', "inferred"),
    ("rentals", '["object_id"]', "lockers", '["id"]', "inferred"),
    ("returns", '["order_id"]', "orders", '["order_id"]', "inferred"),
    (
        "returns",
        '["order_id","line_number"]',
        "order_lines",
        '["order_id","line_number"]',
        "inferred",
    ),
    ("reviews", '["customer_id"]', "customers", '["customer_id"]', "inferred"),
    ("shifts", '["employee_id"]', "employees", '["employee_id"]', "inferred"),
    ("tasks", '["depends_on"]', "tasks", '["task_id"]', "inferred"),
    ("topics", '["parent_topic"]', "topics", '["topic_id"]', "inferred"),
}
EDGE = ["from_table", "from_columns", "to_table", "to_columns", "origin"]


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def shop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, checkout: Path
) -> Iterator[Consumer]:
    """The shop after the package ran over it."""
    folder = tmp_path_factory.mktemp("shop") / "project"
    shutil.copytree(HERE / "joins", folder)
    shutil.copy(HERE / "consumer" / "profiles.yml", folder)
    (folder / "packages.yml").write_text(
        yaml.safe_dump({"packages": [{"local": str(checkout)}]}), "utf-8"
    )
    run_dbt(folder, "deps")
    with start(request.param, tmp_path_factory.mktemp(request.param)) as server:
        ran = Consumer(folder, request.param, server)
        server.execute((HERE / "joins" / "setup.sql").read_text("utf-8"))
        ran.dbt("run", "--select", "+linker_profile_l1")
        yield ran


def test_the_joins_are_those_worked_out_by_hand(shop: Consumer) -> None:
    assert {tuple(row) for row in shop.rows("linker_joins", EDGE)} == EXPECTED


def test_each_column_says_where_its_keys_come_from(shop: Consumer) -> None:
    """A column with a uniqueness test in dbt is a key, unless the warehouse declares one."""
    columns = ["table_name", "column_path", "primary_key_origin", "foreign_key_origin"]
    origins = {
        (row[0], row[1]): (row[2], row[3]) for row in shop.rows("linker_profile_l1", columns)
    }
    expected = {
        ("products", "product_id"): ("declared", ""),
        ("products", "title"): ("", ""),
        ("promotions", "id"): ("tested", ""),
        ("promotions", "title"): ("", ""),
        ("customers", "customer_id"): ("measured", ""),
        ("orders", "promotion_id"): ("", "tested"),
        ("orders", "customer_id"): ("", "inferred"),
        ("order_lines", "product_id"): ("", "declared"),
        ("order_lines", "pieces"): ("", ""),
    }
    assert {column: origins[column] for column in expected} == expected


def test_what_is_declared_is_certain_and_what_is_inferred_never_is(shop: Consumer) -> None:
    confidences = [
        (row[0], float(row[1])) for row in shop.rows("linker_joins", ["origin", "confidence"])
    ]
    assert {confidence for origin, confidence in confidences if origin == "declared"} == {1.0}
    assert all(
        0.5 < confidence < 0.99 for origin, confidence in confidences if origin == "inferred"
    )


def test_the_evidence_of_an_edge_with_orphans_is_as_counted_by_hand(shop: Consumer) -> None:
    measures = [
        "from_table",
        "to_table",
        "containment",
        "coverage",
        "fan_out",
        "key_uniqueness",
        "sampled_values",
    ]
    [found] = [
        row[2:]
        for row in shop.rows("linker_joins", measures)
        if row[:2] == ["reviews", "customers"]
    ]
    # 90 of 100 customers are there, of 200; two reviews each.
    assert [float(cell) for cell in found] == pytest.approx([0.9, 0.45, 2, 1, 100])


def test_an_edge_says_whether_rows_share_a_key(shop: Consumer) -> None:
    found = {
        tuple(row[:3]): row[3]
        for row in shop.rows(
            "linker_joins", ["from_table", "from_columns", "to_table", "cardinality"]
        )
    }
    assert found[LOYAL[:3]] == found["customer_details", '["customer_id"]', "customers"] == "1:1"
    assert (
        found["reviews", '["customer_id"]', "customers"]
        == found["tasks", '["depends_on"]', "tasks"]
        == "n:1"
    )
    assert found["order_lines", '["product_id"]', "products"] == "n:1"
    assert set(found.values()) == {"1:1", "n:1"}


def test_hidden_columns_are_never_measured(shop: Consumer) -> None:
    measured = {
        tuple(row) for row in shop.rows("linker_join_measures", ["from_columns", "to_columns"])
    }
    assert measured
    assert not [pair for pair in measured if '["api_token"]' in pair]


def test_only_pairs_of_changed_tables_are_measured_again(shop: Consumer) -> None:
    columns = ["from_table", "to_table", "measured_at"]
    before = shop.rows("linker_join_measures", columns)
    shop.dbt("run", "--select", "+linker_joins")
    assert shop.rows("linker_join_measures", columns) == before
    shop.server.execute("insert into shop.reviews values (201, 5, 3)")
    shop.dbt("run", "--select", "+linker_joins")
    after = shop.rows("linker_join_measures", columns)
    anew = {(row[0], row[1]) for row in after if row not in before}
    assert anew
    assert all("reviews" in pair for pair in anew)
    assert {(row[0], row[1]) for row in after} == {(row[0], row[1]) for row in before}


def test_a_pair_that_can_no_longer_be_compared_costs_that_pair_alone(shop: Consumer) -> None:
    """Postgres catches the error in the same run; DuckDB needs two failed runs."""
    shop.server.execute("insert into shop.cards values ('x')")
    shop.server.execute("delete from shop.customers where customer_id = 200")
    for _ in range({"duckdb": 2, "postgres": 0}[shop.target]):
        with pytest.raises(AssertionError, match="Could not convert"):
            shop.dbt("run", "--select", "+linker_joins")
    shop.dbt("run", "--select", "+linker_joins")
    assert {tuple(row) for row in shop.rows("linker_joins", EDGE)} == EXPECTED - {LOYAL} | {
        DETAILED
    }
