"""SQL of primitives and measures for every warehouse as golden files, parsed by sqlglot."""

import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
import sqlglot
import yaml
from sqlglot import exp
from sqlglot.errors import ErrorLevel

from linker.warehouses.base.read_only import only_reading
from tests.rendering import Rendering

DIALECTS = ("duckdb", "postgres", "snowflake", "bigquery", "spark")
KINDS = (
    "text",
    "integer",
    "number",
    "date",
    "timestamp",
    "interval",
    "boolean",
    "json",
    "list",
    "other",
)
# By the name of the golden file: queries as a model or a measure would hold them.
QUERIES = {
    "approx_distinct": [
        "{%- set estimate = linker.dialect().approx_distinct -%}"
        "select {{ estimate.format(value='amount') if estimate else none }} as estimate from orders"
    ],
    "as_text": [
        f"select {{{{ linker.as_text('amount', '{kind}') }}}} as value from orders"
        for kind in KINDS
    ],
    "capital_letters": [r"select {{ linker.literal(linker.capital_letters()) }} as brackets"],
    "character_ranges": [
        "select {{ linker.literal(linker.character_ranges([('2010', '2027')])) }} as several",
        "select {{ linker.literal(linker.character_ranges([('0141', none)])) }} as one",
    ],
    "counted_list": [
        "select {{ linker.counted_list('value', 'value_count') }} as tops from value_counts"
    ],
    "digest": ["select {{ linker.digest('name') }} as digest from files"],
    "double_type": [
        "select cast(amount as {{ linker.dialect().double_type }}) as amount from orders"
    ],
    "field": [
        "select {{ linker.dialect().field.format(struct='address', name=linker.identifier('zip \"code'),"
        " text=linker.literal('zip \"code')) }} as zip from customers"
    ],
    "finite": ["select {{ linker.finite('amount') }} as amount from orders"],
    "identifier": ["select {{ linker.identifier('a \"b` \\\\') }} from orders"],
    "inline_rows": [
        "{{ linker.inline_rows(['place', 'name'], [['1', \"'a'\"], ['2', \"'b'\"]]) }}"
    ],
    "json_leaves": ["{{ linker.json_leaves() }}"],
    "json_texts": ["{{ linker.json_texts('linker_joins', 'from_columns') }}"],
    "list_number": ["select {{ linker.list_number('quantile_numbers', 10) }} as median from dated"],
    "literal": [
        r"""select {{ linker.literal("it's a \\ and\nmore") }} as hostile""",
        "select {{ linker.literal(none) }} as missing",
    ],
    "materialized": [
        "with once as {{ linker.dialect().materialized }}(select 1 as one) select one from once"
    ],
    "most_frequent": [
        "{{ linker.dialect().most_frequent.format(relation='counted', condition='is_text', more=200, fewer=25) }}"
    ],
    "number_list": [
        "select {{ linker.dialect().number_list.format(json='quantiles') }} as quantile_numbers from linker_scans"
    ],
    "plain_value": [
        f"select {{{{ linker.plain_value('amount', '{kind}') }}}} as amount from orders"
        for kind in ("numeric", "double", "money", "oid[]", "variant")
    ],
    "place_in_order": [
        """{{ "select " ~ linker.dialect().place_in_order.format(value='size', labels="'small', 'it''s large'") }}"""
        " as place from orders",
        """{{ "select " ~ linker.dialect().value_at_place.format(place='place', labels="'small', 'it''s large'") }}"""
        " as size from orders",
    ],
    "plain_rows": [
        "{{ linker.plain_rows({'place': 'integer', 'name': dbt.type_string(), 'is_old': 'boolean'},"
        """ [{'place': 1, 'name': "it's", 'is_old': true}, {'place': 2, 'name': none, 'is_old': false}]) }}"""
    ],
    "quantiles": ["select {{ linker.quantiles('number') }} as quantiles from all_values"],
    "regex_extract": [
        r"select {{ linker.regex_extract('name', '^(.*)_[0-9]{2}\\.csv$') }} as stem from files"
    ],
    "regex_matches": [
        r"select name from files where {{ linker.regex_matches('name', '[.](csv|tsv)$') }}"
    ],
    "regex_replace": [
        r"select {{ linker.regex_replace('name', '([a-z])[0-9]+', '\\1-') }} as plain from files"
    ],
    "repeated_values": [
        "{%- set members = ['visits_2', 'visits_1', 'visits_0'] -%}"
        "{%- set family = {'database_name': 'shop', 'schema_name': 'web', 'members': members} -%}"
        "{{ linker.repeated_values(family, 'visitor', [{'column_name': 'page'}, {'column_name': 'clicks'}]) }}"
    ],
    "sample_condition": [
        "{%- set condition = linker.dialect().sample_condition -%}"
        f"select id from orders where {{{{ condition.get('{kind}', condition.any)"
        ".format(share=0.01, millionths=10000) }}"
        for kind in ("table", "view")
    ],
    "seconds_since_1970": [
        "select {{ linker.seconds_since_1970('ordered_at') }} as seconds from orders"
    ],
    "storage_order": [
        "{%- set order = linker.dialect().storage_order -%}"
        f"select {{{{ order.get('{kind}', order.any) }}}} as row_order from orders"
        for kind in ("table", "view")
    ],
    "table_sample": [
        "select id from orders {{ linker.dialect().table_sample.format(percent=1.5) }}"
    ],
    "text_list": [
        "select {{ linker.text_list('name', 'place') }} as names from files group by folder"
    ],
    "text_shapes": ["{{ linker.text_shapes('texts', ['column_number']) }}"],
    "try_cast": [
        f"select {{{{ linker.try_cast('name', '{kind}') }}}} as value from files"
        for kind in ("integer", "wide_integer", "number", "date", "timestamp", "boolean")
    ],
    "unnest_list": [
        "select element from paths {{ linker.dialect().unnest_list.format(list='steps') }}"
    ],
    "value_length": [
        f"select {{{{ linker.value_length('name', '{kind}') }}}} as length from files"
        for kind in ("text", "binary", "list")
    ],
    "watched_catalogue": ["{{ linker.watched_catalogue() }}"],
    "watched_changes": [
        r"""{%- set tables = [{'database': 'shop', 'schema': 'sales', 'name': 'orders', 'kind': 'table'},"""
        r""" {'database': 'shop', 'schema': 'sa"les', 'name': 'it\'s "odd"', 'kind': 'table'},"""
        r""" {'database': 'shop', 'schema': 'sales', 'name': 'untold', 'kind': 'table'}] -%}"""
        "{%- set kept_back = {'sales.orders': {'ssn': 'exclude', 'pay': 'hide'}, 'sales.untold': {'': 1767225600}} -%}"
        "{%- set changes = linker._duckdb_content_query(linker._duckdb_named(tables), kept_back)"
        " if target.type == 'duckdb'"
        " else adapter.dispatch('discover_changes', 'linker')(tables) -%}"
        "{{ linker.watched_changes(changes) }}"
    ],
    "watched_keys": ["{{ linker.watched_keys() }}"],
    "watched_journal": [
        "{{ linker.watched_journal('linker_attempts', ['linker_tables', 'linker_columns']) }}"
    ],
    "mask": ["select {{ linker.mask('name') }} as shape from files"],
    "clean_comment": ["select {{ linker.clean_comment('name') }} as comment from files"],
    "personal_data": ["select {{ linker.personal_data('name', 'hint') }} as kind from files"],
    "prevailing_personal_data": [
        "select {{ linker.prevailing_personal_data('kind', 'row_count') }} as kind from files group by folder"
    ],
}
# Parts of the one statement that scans a table, what shapes it, and the moment of rendering.
OF_A_SCAN = {
    "plain_planning",
    "collect_sample",
    "unnest_sample",
    "staged_insert",
    "guarded",
    "unnest_row",
    "now_utc",
    "is_listed",
    "cells",
    "dialect",
    "spell_types",
    "spelled_type",
    "set_time_limit",
    "reset_time_limit",
    "with_time_limit",
    "is_over_time",
}
# Functions that these warehouses document and sqlglot takes for a user's own.
UNKNOWN_TO_SQLGLOT = {
    "duckdb": {
        "generate_subscripts",
        "hash",
        "isfinite",
        "json_tree",
        "now",
        "octet_length",
        "to_json",
        "duckdb_columns",
        "duckdb_constraints",
        "duckdb_tables",
        "duckdb_views",
        "pragma_storage_info",
    },
    "postgres": {
        "cardinality",
        "clock_timestamp",
        "isfinite",
        "json_array_elements_text",
        "json_build_object",
        "array_position",
        "jsonb_array_elements",
        "jsonb_each",
        "jsonb_typeof",
        "octet_length",
        "to_json",
        "to_jsonb",
        "col_description",
        "format_type",
        "obj_description",
        "pg_get_viewdef",
        "pg_relation_size",
        "pg_table_size",
        "row_security_active",
        "trim_scale",
    },
    "snowflake": set(),
    "bigquery": set(),
    "spark": {
        "cardinality",
        "get",
        "map_entries",
        "octet_length",
        "schema_of_variant",
        "try_variant_get",
    },
}

Golden = Callable[[str, str], None]


@pytest.fixture(scope="module")
def rendered(rendering: Callable[[str], Rendering]) -> Callable[[str, str], list[str]]:
    """The queries of a golden file in a dialect; all of them are rendered at once."""
    found: dict[str, dict[str, list[str]]] = {}

    def look_up(dialect: str, name: str) -> list[str]:
        if dialect not in found:
            flat = iter(
                rendering(dialect).expressions(
                    *(text for texts in QUERIES.values() for text in texts)
                )
            )
            found[dialect] = {key: list(islice(flat, len(texts))) for key, texts in QUERIES.items()}
        return found[dialect][name]

    return look_up


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_sql_is_as_the_golden_file_shows_it(
    dialect: str, name: str, rendered: Callable[[str, str], list[str]], golden: Golden
) -> None:
    golden(f"sql/{dialect}/{name}.sql", ";\n\n".join(rendered(dialect, name)) + ";")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_parser_of_the_dialect_reads_one_query_in_it(
    dialect: str, rendered: Callable[[str, str], list[str]]
) -> None:
    for name in QUERIES:
        for sql in rendered(dialect, name):
            [statement] = sqlglot.parse(sql, dialect=dialect, error_level=ErrorLevel.RAISE)
            assert isinstance(statement, exp.Query), name
            unknown = {function.name.lower() for function in statement.find_all(exp.Anonymous)}
            assert unknown - UNKNOWN_TO_SQLGLOT[dialect] == set(), name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_the_quick_look_asks_passes_the_guard(
    dialect: str, rendered: Callable[[str, str], list[str]]
) -> None:
    looks = [name for name in QUERIES if name.startswith("watched_")]
    assert looks
    for name in looks:
        for sql in rendered(dialect, name):
            assert only_reading(sql, dialect), name


def test_every_primitive_is_shown(checkout: Path) -> None:
    described = yaml.safe_load(
        (checkout / "macros" / "primitives" / "primitives.yml").read_text("utf-8")
    )["macros"]
    queries = "".join(text for texts in QUERIES.values() for text in texts)
    shown = set(re.findall(r"linker\.(\w+)\(", queries))
    assert {macro["name"] for macro in described} - OF_A_SCAN - shown == set()


def test_a_dialect_says_nothing_but_what_the_table_of_all_has(
    rendering: Callable[[str], Rendering],
) -> None:
    """A warehouse that misspells a name would silently keep what holds for all."""
    names = "{{ linker.dialect().keys() | sort | join(' ') }}"
    assert len({rendering(dialect).expression(names) for dialect in DIALECTS}) == 1


def test_the_sql_may_stand_in_a_block_of_snowflake(
    rendered: Callable[[str, str], list[str]],
) -> None:
    """Such a block ends at the next two dollars, and patterns are full of single ones."""
    assert [name for name in QUERIES if "$$" in ";".join(rendered("snowflake", name))] == []
