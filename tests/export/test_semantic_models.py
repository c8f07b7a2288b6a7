"""`linker export semantic-models`: drafts pass dbt's semantic layer validation."""

import json
from pathlib import Path

import pytest
import yaml
from dbt_semantic_interfaces.implementations.semantic_manifest import PydanticSemanticManifest
from dbt_semantic_interfaces.validations.semantic_manifest_validator import (
    SemanticManifestValidator,
)
from dbt_semantic_interfaces.validations.unique_valid_name import UniqueAndValidNameRule
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from linker.dbt.semantic_layer import layer_name
from linker.dbt.semantic_models import draft_semantic_models
from tests.export.conftest import Applied, build_project, export, profiles, run
from tests.warehouse.project import run_dbt


def test_the_validator_of_the_semantic_layer_finds_nothing_wrong(applied: Applied) -> None:
    manifest = PydanticSemanticManifest.parse_raw(applied.semantic_manifest)
    results = SemanticManifestValidator[PydanticSemanticManifest]().validate_semantic_manifest(
        manifest
    )
    assert [issue.as_readable_str() for issue in results.all_issues] == []
    assert [model.name for model in manifest.semantic_models] == ["dim_customers", "fct_orders"]
    assert [spine.node_relation.alias for spine in manifest.project_configuration.time_spines] == [
        "metricflow_time_spine"
    ]


def test_keys_join_categories_group_and_amounts_are_added_up(applied: Applied) -> None:
    customers, orders = yaml.safe_load(applied.files["models/semantic_models.yml"])[
        "semantic_models"
    ]
    assert customers["entities"] == [{"name": "customer", "type": "primary", "expr": "customer_id"}]
    # Its country is hidden by `meta`, and without a time nothing is added up.
    assert set(customers) == {"name", "model", "entities"}
    assert orders["model"] == "ref('fct_orders')"
    # A key that would be a word of SQL without its ending keeps it.
    assert orders["entities"] == [
        {"name": "order_id", "type": "primary", "expr": "order_id"},
        {"name": "customer", "type": "foreign", "expr": "customer_id"},
    ]
    assert orders["defaults"] == {"agg_time_dimension": "ordered_at"}
    assert [dimension["name"] for dimension in orders["dimensions"]] == ["status", "ordered_at"]
    assert orders["measures"] == [
        {"name": "fct_orders_count", "agg": "count", "expr": "1", "create_metric": True},
        {"name": "amount", "agg": "sum", "expr": "amount", "create_metric": True},
    ]


def test_the_days_of_the_time_spine_hold_those_that_were_measured(applied: Applied) -> None:
    assert "cast('2025-01-01' as date)" in applied.files["models/metricflow_time_spine.sql"]


def test_only_the_models_that_are_named_are_drafted_and_sources_never(project: Path) -> None:
    assert "fct_orders" not in export(project, "semantic-models", "main.dim_customers").stdout
    none = export(project, "semantic-models", "raw.orders")
    assert none.stdout == ""
    assert "no model" in none.stderr
    report = json.loads(export(project, "semantic-models", "--format", "json", "raw.orders").stdout)
    assert report == {"version": 1, "tables": 1, "prepared": [], "left_out": [], "patch": ""}


def test_a_key_that_joins_the_source_of_a_model_joins_the_model(project: Path) -> None:
    found, of_project = profiles(project)
    dim, fct = found["dim_customers"], found["fct_orders"]
    [edge] = [
        edge
        for edge in fct[1].joins
        if edge.from_columns == ("customer_id",) and edge.to_schema == "main"
    ]
    to_source = (
        fct[0],
        replace(fct[1], joins=(replace(edge, to_schema="raw", to_table="customers"),)),
    )
    both, alone = (
        draft_semantic_models(models, of_project, str.isidentifier, is_legacy=True).text
        for models in ([to_source, dim], [to_source])
    )
    entity = "+      - name: customer\n+        type: foreign\n+        expr: customer_id\n"
    assert entity in both
    # There is nothing that it could join.
    assert entity not in alone


# Raw data goes through staging and a model between into marts, of which one has a semantic model.
LAYERS = {
    "stg_orders.sql": "select range as order_id, range % 60 as customer_id, range * 2.5 as amount from range(300)",
    "stg_rates.sql": "select range as rate_id, range / 100 as tax_rate from range(60)",
    "orders_priced.sql": "select *, amount * 0.19 as tax_amount from {{ ref('stg_orders') }}",
    "fct_orders.sql": """
        {{ config(alias='Orders') }}
        select *, date '2026-01-01' + order_id::integer as ordered_on from {{ ref('orders_priced') }}""",
    "dim_customers.sql": """
        select customer_id, count(*) as order_number, avg(amount) / 1000 as discount_percent, max(amount) as amount,
            max(ordered_on) as last_on from {{ ref('fct_orders') }} group by customer_id""",
    "metricflow_time_spine.sql": "select cast('2026-01-01' as date) + range::integer as date_day from range(400)",
    "layer.yml": """
models:
  - name: metricflow_time_spine
    time_spine: {standard_granularity_column: date_day}
    columns: [{name: date_day, granularity: day}]
semantic_models:
  - name: dim_customers
    model: ref('fct_orders')
    defaults: {agg_time_dimension: ordered_on}
    entities: [{name: order_id, type: primary}]
    dimensions: [{name: ordered_on, type: time, type_params: {time_granularity: day}}]
    measures: [{name: amount, agg: sum}]
""",
}


def test_what_only_prepares_another_model_has_no_draft(tmp_path: Path) -> None:
    build_project(tmp_path, LAYERS)
    exported = export(tmp_path, "semantic-models")
    assert "for models that only feed another" in exported.stderr
    assert "orders_priced, stg_orders, stg_rates; " in exported.stderr
    report = json.loads(export(tmp_path, "semantic-models", "--format", "json").stdout)
    assert report["prepared"] == ["orders_priced", "stg_orders", "stg_rates"]
    # The layer has a model of that name, and an amount.
    (tmp_path / "drafts.patch").write_text(exported.stdout, "utf-8")
    run(tmp_path, "git", "apply", "drafts.patch")
    run_dbt(tmp_path, "parse")
    [draft] = yaml.safe_load((tmp_path / "models" / "semantic_models.yml").read_text("utf-8"))[
        "semantic_models"
    ]
    assert (draft["name"], draft["model"]) == ("dim_customers_model", "ref('dim_customers')")
    # A count that is called a number is taken for one: rather no sum than a wrong one.
    assert {measure["name"]: measure["agg"] for measure in draft["measures"]} == {
        "dim_customers_count": "count",
        "discount_percent": "average",
        "dim_customers_amount": "sum",
    }
    assert "# linker: averaged, as a sum is meaningless, in 60 rows" in exported.stdout
    # A named model is exported.
    named = export(tmp_path, "semantic-models", "main.stg_rates").stdout
    assert "ref('stg_rates')" in named


@pytest.mark.slow
@pytest.mark.parametrize("legacy", [False, True])
def test_dbt_1_12_parses_drafts_in_both_specifications(
    project: Path, checkout: Path, legacy: bool
) -> None:
    executable = str(checkout / ".venv-dbt-1.12" / "bin" / "dbt")
    run_dbt(project, "--no-partial-parse", "parse", executable=executable)
    words = ["--legacy"] if legacy else []
    (project / "drafts.patch").write_text(
        export(project, "semantic-models", *words).stdout, "utf-8"
    )
    run(project, "git", "apply", "drafts.patch")
    said = run_dbt(
        project, "--no-partial-parse", "parse", "--show-all-deprecations", executable=executable
    )
    assert "semantic" not in said.lower()
    manifest = json.loads((project / "target" / "manifest.json").read_text("utf-8"))
    models = {model["name"]: model for model in manifest["semantic_models"].values()}
    entities: dict[str, list[tuple[str, str]]] = {}
    for name, model in models.items():
        entities[name] = [(item["name"], item["type"]) for item in model["entities"]]
    assert entities == {
        "dim_customers": [("customer", "primary")],
        "fct_orders": [("order_id", "primary"), ("customer", "foreign")],
    }
    assert {metric["name"] for metric in manifest["metrics"].values()} == {
        "fct_orders_count",
        "amount",
    }
    assert [item["name"] for item in models["fct_orders"]["measures"]] == (
        ["fct_orders_count", "amount"] if legacy else []
    )
    written = yaml.safe_load((project / "models" / "marts" / "marts.yml").read_text("utf-8"))
    assert written["models"][0]["columns"][0]["data_tests"] == ["unique", "not_null"]
    assert ("semantic_model" in written["models"][0]) is not legacy


@given(st.text())
@example("x")
@example("Umsatz__netto_")
@example("όνομα")
def test_a_name_is_one_that_the_semantic_layer_takes(text: str) -> None:
    assert UniqueAndValidNameRule.NAME_REGEX.fullmatch(layer_name(text))


def test_names_in_another_script_stay_apart() -> None:
    assert layer_name("όνομα") != layer_name("τιμή")
