"""`linker export dbt`: the patch applies with git and runs in dbt."""

import json
import shutil
from pathlib import Path
from typing import Any

import yaml
from msgspec.structs import replace

from linker.dbt.proposals import propose
from tests.export.conftest import EXPLORER, HERE, Applied, export, profiles
from tests.messages import messages

STAGING = "models/staging/sources.yml"
MARTS = "models/marts/marts.yml"


def columns(applied: Applied, file: str, *steps: str | int) -> dict[str, Any]:
    """The columns of a table in a file, by name."""
    found = yaml.safe_load(applied.files[file])
    for step in steps:
        found = found[step]
    return {column["name"]: column for column in found["columns"]}


def names(tests: list[Any]) -> list[str]:
    return [test if isinstance(test, str) else next(iter(test)) for test in tests]


def test_git_applies_the_patch_and_dbt_finds_every_proposed_test_true(applied: Applied) -> None:
    # Worked out by hand from shop.sql: the tests of each column below, and the four that were there
    # before.
    assert "PASS=23 WARN=0 ERROR=0" in applied.said


def test_what_was_applied_is_not_proposed_again(applied: Applied) -> None:
    assert applied.exported_again == ""
    assert applied.checked_again == 0


def test_a_check_ends_with_one_where_something_is_proposed(project: Path) -> None:
    """And it prints the same patch."""
    checked, plain = export(project, "dbt", "--check"), export(project, "dbt")
    assert (checked.exit_code, plain.exit_code) == (1, 0)
    assert checked.stdout == plain.stdout
    assert plain.stdout


def test_lines_are_added_and_none_is_changed(applied: Applied) -> None:
    before = (HERE / "shop" / STAGING).read_text("utf-8").splitlines()
    after = applied.files[STAGING].splitlines()
    compact = next(line for line in before if "# compact" in line)
    remaining = iter(after)
    assert all(line in remaining for line in before if line != compact)
    [widened] = [line for line in after if "# compact" in line]
    assert widened.startswith(
        "          - {name: orders, columns: [{name: order_id, data_tests: [not_null, unique]}"
    )
    # The folder has one file, so new descriptions go there.
    assert applied.files[MARTS].startswith((HERE / "shop" / MARTS).read_text("utf-8"))


def test_each_column_gets_the_tests_that_were_measured(applied: Applied) -> None:
    customers = columns(applied, STAGING, "sources", 0, "tables", 0)
    assert names(customers["customer_id"]["tests"]) == ["unique", "not_null"]
    assert customers["customer_id"]["description"] == "The customer's number"
    assert customers["country"]["description"] == "Where they live, as two letters"
    assert customers["country"]["data_tests"][1] == {
        "accepted_values": {
            "arguments": {"values": ["DE", "FR", "IT"]},
            "config": {"severity": "warn"},
        }
    }
    orders = columns(applied, STAGING, "sources", 0, "tables", 1)
    assert orders["priority"]["data_tests"][1]["accepted_values"]["arguments"] == {
        "values": [1, 2],
        "quote": False,
    }
    reviews = columns(applied, STAGING, "sources", 0, "tables", 2)
    assert set(reviews) == {"review_id", "order_id"}
    assert reviews["order_id"]["data_tests"] == [
        {"relationships": {"arguments": {"to": "source('raw', 'orders')", "field": "order_id"}}}
    ]
    made = columns(applied, MARTS, "models", 1)
    assert names(made["order_id"]["data_tests"]) == ["unique", "not_null"]
    assert "3 values in 20 rows: DE 35.0 %, FR 35.0 %, IT 30.0 %" in applied.files[STAGING]


def test_an_exposure_of_all_tables_links_to_the_explorer(applied: Applied) -> None:
    [exposure] = json.loads(applied.manifest)["exposures"].values()
    assert (exposure["name"], exposure["type"], exposure["url"]) == (
        "linker_explorer",
        "application",
        EXPLORER,
    )
    assert {"model.shop.fct_orders", "source.shop.raw.orders"} <= set(
        exposure["depends_on"]["nodes"]
    )


def test_no_exposure_is_proposed_for_some_tables_nor_for_what_is_no_address(project: Path) -> None:
    assert (
        "exposures"
        not in export(project, "dbt", "raw.reviews", LINKER_EXPLORER_URL=EXPLORER).stdout
    )
    for wrong in ("explorer.example.com", "https://{{ env_var('HOST') }}/"):
        refused = export(project, "dbt", LINKER_EXPLORER_URL=wrong)
        assert refused.exit_code == 2
        assert "`explorer_url` is not a URL" in refused.output


def test_masked_hidden_and_templated_texts_are_not_in_the_patch(project: Path) -> None:
    patch = export(project, "dbt").stdout
    added = [line for line in patch.splitlines() if line.startswith("+")]
    assert not any("example.org" in line or "{{" in line or "SUMMER" in line for line in added)
    # Settings that are newer than the profile count, too.
    (project / "linker.yml").write_text(
        "hide_columns: ['raw.*.country']\nmask_columns: ['*.status']\n", "utf-8"
    )
    patch = export(project, "dbt", "--config", str(project / "linker.yml")).stdout
    assert "accepted_values" in patch
    assert '"DE"' not in patch
    assert '"paid"' not in patch


def test_free_text_that_is_the_same_by_chance_is_no_relationship(project: Path) -> None:
    found, of_project = profiles(project)
    table, profile = found["fct_orders"]

    def tests_of(kind: str) -> list[str]:
        columns = tuple(
            replace(column, l1=replace(column.l1, category=kind))
            if column.path == "customer_id"
            else column
            for column in profile.columns
        )
        proposed = propose(replace(profile, columns=columns), table, of_project, str.isidentifier)
        return [
            test.name
            for column in proposed.columns
            if column.name == "customer_id"
            for test in column.tests
        ]

    assert "relationships" in tests_of("foreign_key")
    # Names of people that came once each in both tables, say.
    assert "relationships" not in tests_of("text")


def test_only_the_tables_that_are_named_are_looked_at(project: Path) -> None:
    patch = export(project, "dbt", "raw.reviews").stdout
    assert "review_id" in patch
    assert "country" not in patch
    assert export(project, "dbt", "raw.revews").exit_code == 2


def test_programs_get_the_same_patch_with_how_much_is_in_it_and_what_is_not(project: Path) -> None:
    patch = export(project, "dbt", LINKER_EXPLORER_URL=EXPLORER)
    report = json.loads(
        export(project, "dbt", "--format", "json", LINKER_EXPLORER_URL=EXPLORER).stdout
    )
    assert report.keys() == {"version", "tables", "descriptions", "tests", "left_out", "patch"}
    assert report["patch"] == patch.stdout
    counted = (
        "{tests} tests and {descriptions} descriptions for {tables} tables of the project".format(
            **report
        )
    )
    assert counted in patch.stderr
    assert [f"warning: unchanged: {odd}" for odd in report["left_out"]] == messages(patch.stderr)[
        :-1
    ]


def test_dbt_before_nested_arguments_gets_them_as_it_reads_them(
    project: Path, tmp_path: Path
) -> None:
    shutil.copytree(
        project, tmp_path / "old", ignore=shutil.ignore_patterns(".git", ".linker", "logs")
    )
    manifest = tmp_path / "old" / "target" / "manifest.json"
    manifest.write_text(
        manifest.read_text("utf-8").replace('"dbt_version": "1.11', '"dbt_version": "1.9'), "utf-8"
    )
    patch = export(tmp_path / "old", "dbt", "raw.orders").stdout
    assert 'accepted_values: {values: ["open", "paid", "sent"], config: {severity: warn}}' in patch


def test_without_a_project_or_a_manifest_the_one_thing_to_do_is_said(
    project: Path, tmp_path: Path
) -> None:
    (tmp_path / "profiles.yml").write_text((project / "profiles.yml").read_text("utf-8"), "utf-8")
    missing = export(tmp_path, "dbt")
    assert missing.exit_code == 2
    assert "--project-dir" in missing.output
    (tmp_path / "dbt_project.yml").write_text("name: shop", "utf-8")
    unparsed = export(tmp_path, "dbt")
    assert unparsed.exit_code == 2
    assert "dbt parse" in unparsed.output


def test_three_rows_say_of_no_column_but_the_key_that_it_is_unique(project: Path) -> None:
    found, of_project = profiles(project)
    table, profile = found["customers"]

    def tests_of(rows: int, origin: str | None) -> list[str]:
        joined = next(column for column in profile.columns if column.path == "joined_on")
        assert joined.l1.is_unique
        assert joined.l3 is not None
        l1 = replace(joined.l1, category="identifier", primary_key_origin=origin)
        columns = (replace(joined, l1=l1, l3=replace(joined.l3, row_count=rows)),)
        proposed = propose(replace(profile, columns=columns), table, of_project, str.isidentifier)
        return [test.name for column in proposed.columns for test in column.tests]

    assert tests_of(20, None) == ["unique", "not_null"]
    assert tests_of(3, None) == []
    assert tests_of(3, "inferred") == ["unique", "not_null"]
