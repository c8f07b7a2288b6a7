"""Scope of profiling: neither profile tables nor dbt's temporary relations."""

import re
from collections.abc import Callable

from tests.families import Merging, same_columns
from tests.rendering import Rendering

ARTIFACTS = (
    "linker_attempts",
    "linker_scans",
    "linker_tables",
    "linker_joins",
    "linker_plan__dbt_backup",
)


def test_the_artifacts_of_another_environment_are_no_tables_whatever_their_schema_is_called(
    merging: Merging,
) -> None:
    merged = merging.schemas(
        {"dbt_alice": same_columns((*ARTIFACTS, "orders")), "bob": same_columns(ARTIFACTS)}
    )
    assert set(merged.logical_names) == {("dbt_alice", "orders")}


def test_artifacts_with_a_name_of_their_own_in_an_environment_are_none_of_its_tables(
    merging: Merging,
) -> None:
    merged = merging.tables(same_columns([f"ci_17_{name}" for name in ARTIFACTS]))
    assert not merged.logical_names


def test_a_table_that_is_called_like_an_artifact_and_stands_alone_is_one_of_the_user(
    merging: Merging,
) -> None:
    assert set(merging.tables(same_columns(["linker_joins", "blinkers"])).logical_names) == {
        ("main", "linker_joins"),
        ("main", "blinkers"),
    }


def test_what_dbt_makes_on_its_way_to_a_table_is_none(merging: Merging) -> None:
    merged = merging.tables(
        same_columns(["orders", "orders__dbt_backup", "orders__dbt_tmp", "orders__dbt_tmp20260101"])
    )
    assert set(merged.logical_names) == {("main", "orders")}


def test_all_that_is_read_of_snowflakes_catalogue_is_asked_for_the_schemas_that_the_project_names(
    rendering: Callable[[str], Rendering],
) -> None:
    reads = (
        "discover_tables()",
        "discover_columns()",
        "discover_definitions()",
        "discover_changes([])",
        "watched_keys()",
    )
    queries = rendering("snowflake").expressions(
        *(f"{{{{ linker.{read} }}}}" for read in reads), include_schemas=["Sales"]
    )
    for query in queries:
        views = re.findall(r"from information_schema\.", query)
        assert (
            0 < len(views) <= len(re.findall(r"lower\([a-z.]*table_schema\) in \('sales'\)", query))
        )


def test_keys_of_snowflake_are_shown_of_the_schemas_alone_that_the_project_names(
    rendering: Callable[[str], Rendering],
) -> None:
    shown = "{{ linker._show_keys('imported', ['Sales', 'H\"R']) | join('; ') }}"
    snowflake = rendering("snowflake")
    named = snowflake.expression(shown, include_schemas=["sales", 'h"r'])
    assert named.split("; ") == [
        'show imported keys in schema "analytics"."Sales"',
        'show imported keys in schema "analytics"."H""R"',
    ]
    assert snowflake.expression(shown) == 'show imported keys in database "analytics"'
