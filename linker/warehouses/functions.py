"""
The functions that the guard refuses, warehouse by warehouse: those that do more than compute from what a table holds.

A name is refused when it is listed, starts or ends as listed, or is called through a schema that is not known to be
harmless: behind `schema.function(…)` may stand anything. Names are in lower case.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusals:
    """What one warehouse must not be asked."""

    names: frozenset[str]
    prefixes: tuple[str, ...]
    suffixes: tuple[str, ...] = ()
    # Exceptions from the prefixes.
    allowed: frozenset[str] = frozenset()
    # Schemas whose functions are judged by their name alone; None where a dot also calls methods of values.
    schemas: frozenset[str] | None = frozenset()

    def reason(self, name: str, qualifiers: tuple[str, ...]) -> str:
        """Why a call is refused; empty when it is not."""
        if self.schemas is not None and any(qualifier not in self.schemas for qualifier in qualifiers):
            return f"`{'.'.join((*qualifiers, name))}` is not one of the warehouse's own functions"
        listed = (
            name in self.names or name.startswith(self.prefixes) or (self.suffixes and name.endswith(self.suffixes))
        )
        if listed and name not in self.allowed:
            return f"`{name}` does more than read tables"
        return ""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Sequences count on when they are read; a seed changes what the session draws next.
_EVERYWHERE = _words("nextval setval currval lastval setseed")

# https://duckdb.org/docs/stable/sql/functions/overview, and the functions of its extensions.
_DUCKDB = Refusals(
    names=_EVERYWHERE
    | _words(
        """
        glob sniff_csv st_read st_read_meta st_drivers query query_table json_execute_serialized_sql getenv
        current_setting getvariable which_secret duckdb_settings duckdb_variables duckdb_temporary_files
        duckdb_prepared_statements checkpoint force_checkpoint write_log truncate_duckdb_logs sleep_ms copy_database
        import_database get_substrait get_substrait_json from_substrait from_substrait_json add_parquet_key
        python_map_function
        """
    ),
    prefixes=(
        *("read_", "parquet_", "http_", "iceberg_", "delta_", "postgres_", "mysql_", "sqlite_", "load_", "enable_"),
        *("disable_", "duckdb_secret", "duckdb_log", "duckdb_external", "create_external", "destroy_", "register_"),
        "deregister_",
    ),
    suffixes=("_scan", "_attach", "_execute", "_query"),
    schemas=None,
)

# https://www.postgresql.org/docs/current/functions-admin.html, and those that run SQL that is given to them as text.
# Of the many that begin with `pg_`, only some just look.
_POSTGRES = Refusals(
    names=_EVERYWHERE
    | _words(
        """
        set_config current_setting lowrite loread query_to_xml query_to_xmlschema query_to_xml_and_xmlschema
        cursor_to_xml cursor_to_xmlschema ts_stat ts_rewrite connectby xpath_table txid_current
        gin_clean_pending_list http currtid2
        """
    ),
    prefixes=(
        *("pg_", "lo_", "dblink", "postgres_fdw_", "http_", "crosstab", "brin_", "binary_upgrade_"),
        *("table_to_xml", "schema_to_xml", "database_to_xml"),
    ),
    allowed=_words(
        """
        pg_typeof pg_column_size pg_column_compression pg_relation_size pg_table_size pg_indexes_size
        pg_total_relation_size pg_database_size pg_size_pretty pg_size_bytes pg_get_expr pg_get_viewdef pg_get_indexdef
        pg_get_constraintdef pg_get_userbyid pg_get_keywords pg_table_is_visible pg_encoding_to_char pg_is_in_recovery
        """
    ),
    schemas=frozenset({"pg_catalog"}),
)

# https://docs.snowflake.com/en/sql-reference/functions-system, …/functions-file and …/functions-ai
_SNOWFLAKE = Refusals(
    names=_EVERYWHERE
    | _words(
        """
        identifier get_presigned_url build_scoped_file_url build_stage_file_url get_stage_location get_absolute_path
        get_relative_path infer_schema result_scan last_query_id to_file validate
        """
    ),
    prefixes=("system$", "ai_", "fl_"),
)

# https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-all
# SAFE, NET, HLL_COUNT and KLL_QUANTILES are name spaces of plain functions; NET only takes addresses apart.
_BIGQUERY = Refusals(
    names=_EVERYWHERE | _words("external_query appends changes"),
    prefixes=("ml_", "ai_"),
    schemas=frozenset({"safe", "net", "hll_count", "kll_quantiles"}),
)

REFUSALS = {"duckdb": _DUCKDB, "postgres": _POSTGRES, "snowflake": _SNOWFLAKE, "bigquery": _BIGQUERY}
