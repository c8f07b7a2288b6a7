"""`linker export semantic-models`: drafts that dbt parses and the validator of its semantic layer accepts."""

import json
from pathlib import Path

import yaml
from dbt_semantic_interfaces.implementations.semantic_manifest import PydanticSemanticManifest
from dbt_semantic_interfaces.validations.semantic_manifest_validator import SemanticManifestValidator
from msgspec.structs import replace

from linker.dbt.semantic_models import draft_semantic_models
from tests.export.conftest import Applied, export, profiles


def test_the_validator_of_the_semantic_layer_finds_nothing_wrong(applied: Applied) -> None:
    manifest = PydanticSemanticManifest.parse_raw(applied.semantic_manifest)
    results = SemanticManifestValidator[PydanticSemanticManifest]().validate_semantic_manifest(manifest)
    assert [issue.as_readable_str() for issue in results.all_issues] == []
    assert [model.name for model in manifest.semantic_models] == ["dim_customers", "fct_orders"]
    assert [spine.node_relation.alias for spine in manifest.project_configuration.time_spines] == [
        "metricflow_time_spine"
    ]


def test_keys_join_categories_group_and_amounts_are_added_up(applied: Applied) -> None:
    customers, orders = yaml.safe_load(applied.files["models/semantic_models.yml"])["semantic_models"]
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
    assert report == {"version": 1, "tables": 1, "left_out": [], "patch": ""}


def test_a_key_that_joins_the_source_of_a_model_joins_the_model(project: Path) -> None:
    found, of_project = profiles(project)
    dim, fct = found["dim_customers"], found["fct_orders"]
    [edge] = [edge for edge in fct[1].joins if edge.from_columns == ("customer_id",) and edge.to_schema == "main"]
    to_source = fct[0], replace(fct[1], joins=(replace(edge, to_schema="raw", to_table="customers"),))
    both, alone = (
        draft_semantic_models(models, of_project, str.isidentifier).text for models in ([to_source, dim], [to_source])
    )
    entity = "+      - name: customer\n+        type: foreign\n+        expr: customer_id\n"
    assert entity in both
    # There is nothing that it could join.
    assert entity not in alone
