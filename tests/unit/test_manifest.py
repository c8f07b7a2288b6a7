"""Tags from the dbt manifest, and messages where it is unusable."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.config.settings import Settings
from linker.config.target import Target
from linker.dbt.manifest import Manifest, find_manifest, graph_json, relations_elsewhere
from linker.dbt.selection import read_selection, selected_variables
from linker.errors import ConfigError

# A node without its database.
TARGET = Target("shop", "dev", "snowflake", "main", Path(), {})


def node(name: str, *tags: str, kind: str = "model", **more: Any) -> dict[str, Any]:
    return {
        "resource_type": kind,
        "database": "Shop",
        "schema": "Sales",
        "name": name,
        "tags": list(tags),
        **more,
    }


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    nodes = [
        node("orders", "nightly", alias="Orders_V2"),
        node("customers", "nightly", "pii"),
        node("passing", "nightly", config={"materialized": "ephemeral"}),
        node("elsewhere", "nightly", database="other"),
        node("a_test", "nightly", kind="test"),
    ]
    source = node("events", "nightly", kind="source", identifier="events_*")
    contacts = node("contacts", kind="source", database="crm") | {"schema": "Web"}
    path = tmp_path / "manifest.json"
    path.write_text(
        json.dumps(
            {"nodes": dict(enumerate(nodes)), "sources": {"source": source, "contacts": contacts}}
        ),
        "utf-8",
    )
    return Settings(manifest=path)


def test_a_tag_stands_for_the_relations_of_its_nodes(settings: Settings, tmp_path: Path) -> None:
    target = Target("shop", "dev", "duckdb", "main", tmp_path, {"path": "/data/shop.duckdb"})
    variables = selected_variables(
        read_selection(["tag:nightly"], ["tag:pii"]), find_manifest(settings, target)
    )
    assert variables == {
        "select": [
            {
                "pattern": "tag:nightly",
                "tables": ["sales.customers", "sales.events_*", "sales.orders_v2"],
            }
        ],
        "exclude": [{"pattern": "tag:pii", "tables": ["sales.customers"]}],
    }


def test_tables_in_other_databases_are_named_unless_the_manifest_is_of_another_target(
    settings: Settings,
) -> None:
    target = Target("shop", "dev", "snowflake", "main", Path(), {"database": "SHOP"})
    assert relations_elsewhere(settings, target) == (
        "not profiled: crm.Web.contacts, other.Sales.elsewhere, in another database than target `dev`; "
        "add a target with that database to profiles.yml and run: linker refresh --target NAME"
    )
    assert relations_elsewhere(settings, TARGET) == ""
    assert settings.manifest
    results = settings.manifest.with_name("run_results.json")
    results.write_text('{"args": {"target": "prod"}}', "utf-8")
    assert relations_elsewhere(settings, target) == ""


def test_without_a_tag_no_manifest_is_read(tmp_path: Path) -> None:
    target = Target("shop", "dev", "postgres", "main", tmp_path, {"dbname": "shop"})
    settings = Settings(manifest=tmp_path / "missing.json")
    assert selected_variables(read_selection([], []), find_manifest(settings, target)) == {}


def test_a_tag_that_nothing_has_names_the_nearest_and_else_all(settings: Settings) -> None:
    with pytest.raises(
        ConfigError, match=r"nothing in .*manifest\.json has the tag `nigthly`"
    ) as caught:
        selected_variables(read_selection(["tag:nigthly"], []), find_manifest(settings, TARGET))
    assert caught.value.hint == "did you mean tag:nightly?"
    with pytest.raises(ConfigError) as caught:
        selected_variables(read_selection(["tag:zzz"], []), find_manifest(settings, TARGET))
    assert caught.value.hint == "its tags are: nightly, pii"


@pytest.mark.parametrize(
    "content", [None, "no json", "[]", '{"nodes": {}}', '{"nodes": 3, "sources": {}}']
)
def test_what_is_no_manifest_says_how_to_get_one(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "manifest.json"
    if content is not None:
        path.write_text(content, "utf-8")
    with pytest.raises(ConfigError, match="manifest") as caught:
        selected_variables(
            read_selection(["tag:a"], []), find_manifest(Settings(manifest=path), TARGET)
        )
    assert "dbt parse" in caught.value.hint


def test_in_a_folder_without_a_project_the_setting_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="this folder has none") as caught:
        selected_variables(read_selection(["tag:a"], []), find_manifest(Settings(), TARGET))
    assert "`manifest`" in caught.value.hint
    (tmp_path / "dbt_project.yml").write_text("name: shop", "utf-8")
    with pytest.raises(ConfigError, match=r"cannot read target/manifest\.json"):
        selected_variables(read_selection(["tag:a"], []), find_manifest(Settings(), TARGET))


@given(words=st.text('{}%#"\\ aé', max_size=30))
def test_what_the_package_is_told_of_a_project_holds_no_template_and_says_the_same(
    words: str,
) -> None:
    node = {
        "unique_id": "model.shop.a",
        "resource_type": "model",
        "name": "a",
        "description": words,
        "schema": "main",
    }
    content = {"nodes": {"model.shop.a": node}, "sources": {}}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "manifest.json"
        path.write_text(json.dumps(content), "utf-8")
        told = graph_json(Manifest(path).graph())
    assert not re.search(r"{[{%#]|[}%#]}", told)
    assert json.loads(told)["tables"]["model.shop.a"].get("description", "") == words
