"""
`linker export ossie`: documents that the official schemas accept and dbt reads, and which linker
reads in another project as the same descriptions, synonyms and joins.

ossie/*.schema.json are core-spec/osi-schema.json of https://github.com/apache/ossie, at the tag
osi-0.1.1-rc1 and at the commit 88e0011 of 31 July 2026, unchanged; Apache License, Version 2.0.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from linker.config.settings import load_settings
from linker.dbt.ossie_import import OssieMetadata, read_documents
from linker.environment import Environment
from tests.export.conftest import HERE, dbt, export
from tests.messages import messages
from tests.warehouse.project import run_dbt

LAYER = """
semantic_models:
  - name: orders
    model: ref('fct_orders')
    defaults: {agg_time_dimension: ordered_at}
    entities: [{name: order_id, type: primary}]
    dimensions:
      - {name: ordered_at, type: time, type_params: {time_granularity: day}}
      - {name: is_paid, type: categorical, expr: status = 'paid'}
    measures:
      - {name: revenue, agg: sum, expr: amount}
      - {name: order_count, agg: count, expr: order_id}
      - {name: row_count, agg: sum, expr: "1"}
metrics:
  - {name: revenue, label: Revenue, type: simple, type_params: {measure: revenue}, description: All of it.}
  - name: paid_revenue
    label: Paid revenue
    type: simple
    type_params: {measure: revenue}
    filter: "{{ Dimension('order_id__is_paid') }}"
    config: {meta: {synonyms: [money in the bank]}}
  - name: average_order
    label: Average order
    type: ratio
    type_params: {numerator: revenue, denominator: {name: orders}}
  - {name: orders, label: Orders, type: simple, type_params: {measure: order_count}}
  - {name: rows, label: Rows, type: simple, type_params: {measure: row_count}}
  - name: revenue_to_date
    label: Revenue to date
    type: cumulative
    type_params: {measure: revenue}
models:
  - name: days
    time_spine: {standard_granularity_column: day}
    columns: [{name: day, granularity: day}]
"""
DAYS = "select cast('2025-01-01' as date) + range::integer as day from range(40)"
GLOSSARY = "glossary: {proceeds: {columns: [main.fct_orders.amount]}, shoppers: {tables: [main.dim_customers]}}\n"


def read(file: Path) -> dict[str, Any]:
    """A document that its schema accepts."""
    document: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))
    schema = json.loads((HERE / "ossie" / f"{document['version']}.schema.json").read_text("utf-8"))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(document)] == []
    return document


def named(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in items}


@pytest.fixture
def layered(project: Path) -> Path:
    """The project with additional metrics and terms."""
    (project / "models" / "layer.yml").write_text(LAYER, "utf-8")
    (project / "models" / "days.sql").write_text(DAYS, "utf-8")
    (project / "linker.yml").write_text(GLOSSARY, "utf-8")
    dbt(project, "parse")
    return project


def exported(project: Path, *words: str) -> Mapping[str, Any]:
    done = export(
        project, "ossie", str(project / "out"), "--config", str(project / "linker.yml"), *words
    )
    assert done.exit_code == 0, done.stderr
    file = "linker.json" if "0.1.1" in words or "--for-dbt" in words else "linker.osi.yaml"
    [model] = read(project / "out" / file)["semantic_model"]
    found: Mapping[str, Any] = model
    return found


@pytest.mark.parametrize("version", ["0.1.1", "0.2.0.dev0"])
def test_the_official_schema_accepts_tables_with_values_words_and_verified_joins(
    layered: Path, version: str
) -> None:
    model = exported(layered, "--spec-version", version)
    datasets = named(model["datasets"])
    assert [*datasets] == ["dim_customers", "fct_orders", "customers", "orders", "reviews"]
    orders = datasets["fct_orders"]
    assert orders["source"] == "shop.main.fct_orders"
    assert orders["primary_key"] == ["order_id"]
    fields = named(orders["fields"])
    assert [*fields] == ["order_id", "customer_id", "status", "amount", "ordered_at"]
    assert fields["status"]["ai_context"]["sample_values"] == ["open", "paid", "sent"]
    assert fields["amount"]["ai_context"]["synonyms"] == ["proceeds"]
    assert fields["ordered_at"]["dimension"] == {"is_time": True}
    assert datasets["dim_customers"]["description"] == "One row per customer, with what they spent."
    assert datasets["dim_customers"]["ai_context"]["synonyms"] == ["shoppers"]
    [join, *_] = model["relationships"]
    sides = join["from"], join["from_columns"], join["to"], join["to_columns"]
    assert sides == ("fct_orders", ["customer_id"], "dim_customers", ["customer_id"])
    # Each of 60 orders has one of 20 customers.
    assert join["ai_context"]["instructions"].startswith(
        "n:1; same name; the key holds 100 % of 20"
    )
    [extension] = join["custom_extensions"]
    assert json.loads(extension["data"])["linker"]["fan_out"] == 3


def test_metrics_are_aggregations_over_datasets_and_others_are_named(layered: Path) -> None:
    metrics = named(list(exported(layered)["metrics"]))
    found = {
        name: metric["expression"]["dialects"][0]["expression"] for name, metric in metrics.items()
    }
    assert found == {
        "revenue": "sum(fct_orders.amount)",
        "paid_revenue": "sum(case when (fct_orders.status = 'paid') then fct_orders.amount end)",
        "average_order": "(sum(fct_orders.amount)) / (count(fct_orders.order_id))",
        "orders": "count(fct_orders.order_id)",
        "rows": "sum(case when fct_orders.order_id is not null then 1 end)",
    }
    assert metrics["revenue"]["description"] == "All of it."
    assert metrics["paid_revenue"]["ai_context"]["synonyms"] == ["money in the bank"]
    said = export(layered, "ossie", str(layered / "out")).stderr
    assert "omitted: metric revenue_to_date: a cumulative metric is no aggregation" in said


def test_no_hidden_masked_or_restricted_value_is_written(layered: Path) -> None:
    (layered / "linker.yml").write_text("mask_columns: [raw.orders.status]\n", "utf-8")
    text = json.dumps(exported(layered))
    datasets = named(json.loads(text)["datasets"])
    for table, column in (
        ("dim_customers", "country"),
        ("customers", "email"),
        ("orders", "status"),
    ):
        field = named(datasets[table]["fields"])[column]
        assert "sample_values" not in field["ai_context"]
        assert "not shown" in field["ai_context"]["instructions"]
    assert "example.org" not in text


def test_what_is_not_there_is_one_line(project: Path) -> None:
    done = export(project, "ossie", str(project / "out"), "raw.nothing")
    assert done.exit_code == 2
    assert "raw.nothing" in messages(done.stderr)[0]


@pytest.mark.slow
def test_dbt_1_12_reads_its_models_with_the_keys_that_join_them(
    project: Path, checkout: Path
) -> None:
    executable = str(checkout / ".venv-dbt-1.12" / "bin" / "dbt")
    done = export(project, "ossie", str(project / "osi"), "--for-dbt")
    assert "dbt requires a time spine" in done.stderr
    read(project / "osi" / "linker.json")
    (project / "models" / "days.sql").write_text(DAYS, "utf-8")
    (project / "models" / "days.yml").write_text(
        LAYER[LAYER.index("models:\n  - name: days") :], "utf-8"
    )
    run_dbt(
        project,
        "--no-partial-parse",
        "parse",
        "--target-path",
        "target-1.12",
        executable=executable,
    )
    manifest = json.loads((project / "target-1.12" / "manifest.json").read_text("utf-8"))
    entities = {}
    for model in manifest["semantic_models"].values():
        entities[model["name"]] = [
            (item["name"], item["type"], item["expr"]) for item in model["entities"]
        ]
    assert entities == {
        "dim_customers": [("dim_customers_key", "primary", "customer_id")],
        "fct_orders": [
            ("fct_orders_key", "primary", "order_id"),
            ("dim_customers_key", "foreign", "customer_id"),
        ],
    }


@pytest.mark.slow
def test_another_project_on_dbt_1_12_gets_the_metrics(
    layered: Path, checkout: Path, tmp_path: Path
) -> None:
    exported(layered, "--spec-version", "0.1.1", "main.fct_orders", "main.dim_customers")
    consumer = tmp_path / "consumer"
    shutil.copytree(HERE / "shop", consumer)
    (consumer / "models" / "days.sql").write_text(DAYS, "utf-8")
    (consumer / "models" / "days.yml").write_text(
        LAYER[LAYER.index("models:\n  - name: days") :], "utf-8"
    )
    shutil.copy(layered / "profiles.yml", consumer)
    (consumer / "osi").mkdir()
    shutil.copy(layered / "out" / "linker.json", consumer / "osi")
    # The same tables, in a file of its own.
    profiles = (consumer / "profiles.yml").read_text("utf-8").replace(str(layered), str(consumer))
    (consumer / "profiles.yml").write_text(profiles, "utf-8")
    run_dbt(consumer, "parse", executable=str(checkout / ".venv-dbt-1.12" / "bin" / "dbt"))
    manifest = json.loads((consumer / "target" / "manifest.json").read_text("utf-8"))
    metrics = {metric["name"]: metric["type"] for metric in manifest["metrics"].values()}
    assert metrics["revenue"] == "simple"
    assert metrics["average_order"] == "ratio"


def documents(folder: Path, *names: str) -> OssieMetadata:
    return read_documents(load_settings({"ossie": [str(folder / name) for name in names]}), "x.dev")


def test_what_was_exported_is_read_as_the_same_words_and_joins(layered: Path) -> None:
    for version in ("0.1.1", "0.2.0.dev0"):
        exported(layered, "--spec-version", version)
        file = "linker.json" if version == "0.1.1" else "linker.osi.yaml"
        found = documents(layered, f"out/{file}")
        assert found.problems == ()
        assert found.tables == {
            ("main", "dim_customers"): "One row per customer, with what they spent.",
            ("raw", "customers"): 'Whoever ordered once; "quoted", with: a colon',
        }
        assert found.columns == {
            ("raw", "customers"): {
                "customer_id": "The customer's number",
                "country": "Where they live, as two letters",
                "joined_on": '{{ env_var("HOME") }} is no template of ours',
            },
            ("raw", "orders"): {"status": "How far it is: open, paid or sent"},
        }
        meant = {term.term: (*term.tables, *term.columns) for term in found.terms}
        assert meant == {
            "shoppers": ("main.dim_customers",),
            "proceeds": ("main.fct_orders.amount",),
        }
        joins = {(join.source, join.columns, join.key, join.key_columns) for join in found.joins}
        assert joins == {
            (("main", "fct_orders"), ("customer_id",), ("main", "dim_customers"), ("customer_id",)),
            (("raw", "orders"), ("customer_id",), ("raw", "customers"), ("customer_id",)),
            (("raw", "reviews"), ("order_id",), ("raw", "orders"), ("order_id",)),
        }
    # For the target that it is of it is no news.
    own = read_documents(load_settings({"ossie": [str(layered / "out")]}), "shop.dev")
    assert own == OssieMetadata()


def test_a_malformed_document_is_one_warning_and_the_others_are_read(tmp_path: Path) -> None:
    field = {
        "name": "N",
        "description": "How many.",
        "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": '"A"."N o"'}]},
    }
    computed = field | {
        "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "a + b"}]}
    }
    dataset = {
        "name": "A",
        "source": 'db."Some Schema".A',
        "ai_context": "All of A.",
        "fields": [field, computed],
    }
    query = {"name": "Q", "source": "select * from a.b", "fields": [field]}
    good = {"version": "9", "semantic_model": [{"name": "m", "datasets": [dataset, query]}]}
    texts = {
        "a.json": "{",
        "b.yaml": "semantic_model: [{name: m, datasets: 7}]",
        "c.yml": "a: [",
        "d.json": json.dumps(good),
        "e.yaml": "ontology: []",
        "f.json": "[]",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    found = documents(tmp_path, "", "missing.yml")
    assert found.tables == {("some schema", "a"): "All of A."}
    assert found.columns == {("some schema", "a"): {"n o": "How many."}}
    assert len(found.problems) == 5
    assert all("it was not read" in problem for problem in found.problems[:-1])
    assert found.problems[-1] == f"ossie: there is no {tmp_path / 'missing.yml'}"


def test_refresh_takes_words_and_joins_of_documents_into_the_profiles(
    tmp_path: Path,
) -> None:
    """A warehouse without rows: names and documents alone say what joins."""
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as warehouse:
        warehouse.execute(
            "create table parcels (a integer, whose integer); create table folk (b integer)"
        )
    output = {"type": "duckdb", "path": str(tmp_path / "shop.duckdb"), "schema": "main"}
    profiles = {"shop": {"target": "dev", "outputs": {"dev": output}}}
    (tmp_path / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
    relationship = {
        "name": "j",
        "from": "Parcels",
        "to": "Folk",
        "from_columns": ["owner"],
        "to_columns": ["b"],
    }

    def field(name: str, column: str) -> dict[str, Any]:
        return {
            "name": name,
            "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": column}]},
        }

    owner = field("owner", "whose") | {
        "description": "Who gets it.",
        "ai_context": {"synonyms": ["recipient"]},
    }
    datasets = [
        {
            "name": "Parcels",
            "source": "shop.main.parcels",
            "description": "What was sent.",
            "fields": [owner],
        },
        {"name": "Folk", "source": "shop.main.folk", "fields": [field("b", "b")]},
    ]
    model = {"name": "m", "datasets": datasets, "relationships": [relationship]}
    (tmp_path / "osi").mkdir()
    (tmp_path / "osi" / "a.yaml").write_text(
        yaml.safe_dump({"version": "0.1.1", "semantic_model": [model]}), "utf-8"
    )
    (tmp_path / "osi" / "b.json").write_text("{", "utf-8")
    flags = ("--profile", "shop", "--profiles-dir", ".")
    said = run_linker(tmp_path, "profile", *flags)
    assert said.count("osi/b.json is not a valid Apache Ossie document; it was not read") == 1
    settings = {
        "profile": "shop",
        "profiles_dir": str(tmp_path),
        "state_dir": str(tmp_path / ".linker"),
        "ossie": [str(tmp_path / "osi")],
    }
    with Environment(load_settings(settings)) as environment:
        profiled = environment.warehouse.profiled
        parcels = next(table for table in profiled.catalog.tables if table.ref.name == "parcels")
        profile = environment.warehouse.profile_of(parcels)
    assert parcels.description == "What was sent."
    assert [column.description for column in parcels.columns] == [None, "Who gets it."]
    assert [(term.term, term.columns) for term in profiled.terms] == [
        ("recipient", ("main.parcels.whose",))
    ]
    assert profile is not None
    [edge] = profile.joins
    assert (edge.from_columns, str(edge.key), edge.to_columns) == (("whose",), "main.folk", ("b",))
    assert (edge.origin, edge.evidence) == ("documented", "documented in Apache Ossie")


def run_linker(folder: Path, *words: str) -> str:
    """Run `linker` in a folder; returns its output."""
    import subprocess

    from tests.refresh.shop import command

    done = subprocess.run(command(*words), cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr
