"""Evaluating a target does not change its index."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from linker.cli import main
from linker.config.settings import load_settings
from linker.environment import Environment

MANIFEST = {
    "metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json"},
    "nodes": {},
    "sources": {},
    "metrics": {},
    "semantic_models": {
        "semantic_model.shop.orders": {
            "name": "orders",
            "node_relation": {"schema_name": "sales", "alias": "orders"},
            "measures": [{"name": "turnover", "agg": "sum", "expr": "amount"}],
            "dimensions": [],
        }
    },
}
QUESTIONS = "- {question: turnover of orders, gold_columns: [sales.orders.amount]}\n"


def test_what_the_project_calls_things_stays_in_the_index(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = {"type": "duckdb", "path": str(shop / "shop.duckdb"), "schema": "shop"}
    (tmp_path / "profiles.yml").write_text(
        json.dumps({"shop": {"target": "dev", "outputs": {"dev": output}}})
    )
    (tmp_path / "golden.yml").write_text(QUESTIONS)
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST))
    for name, value in {
        "STATE_DIR": tmp_path / "state",
        "PROFILES_DIR": tmp_path,
        "PROFILE": "shop",
        "MANIFEST": tmp_path / "manifest.json",
    }.items():
        monkeypatch.setenv(f"LINKER_{name}", str(value))
    words = ["eval", "golden", "--root", str(tmp_path / "golden.yml"), "--strategy", "shortlist"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    with Environment(load_settings({})) as environment:
        assert [term.term for term in environment.indexed.terms] == ["turnover"]
