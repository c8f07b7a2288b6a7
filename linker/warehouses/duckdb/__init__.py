"""
DuckDB: a file opened read-only, with no way out of it, and the rules of its SQL.

The driver is imported when a file is opened.
"""

import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from linker.config.target import Target
from linker.errors import WarehouseError
from linker.warehouses.base import USUAL, Bounds, Row, first_line, listed_relations, refused_statement
from linker.warehouses.base.dialect import REFUSED_EVERYWHERE, Dialect, KnownFailure, ProbeFunctions, Refusals, words
from linker.warehouses.duckdb.file import FILE, holder

if TYPE_CHECKING:
    import duckdb

# https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview
# It would draw a bar where Python has no script.
_SESSION = ("set enable_progress_bar = false", "set enable_external_access = false", "set lock_configuration = true")
# Each holds some memory of its own.
_MOST_THREADS = 4
_NO_COLUMN = re.compile(r"Referenced column .* not found|does not have a column named|Could not find key")


class DuckDBWarehouse:
    """A read-only session in one DuckDB file."""

    dialect = "duckdb"
    bytes_read = None

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self._connection = connection

    def query(self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL) -> list[Row]:
        """Run one statement that reads."""
        import duckdb

        try:
            statements = self._connection.extract_statements(sql)
            # Read-only DuckDB still lets in what changes the session: temporary tables, attached files, variables.
            if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
                raise WarehouseError(
                    "DuckDB was given something else than one statement that reads", hint="write one `select`"
                )
            result = self._connection.execute(statements[0], list(parameters))
            return result.fetchall() if bounds.rows is None else result.fetchmany(bounds.rows)
        except duckdb.OutOfMemoryException as error:
            raise MemoryError from error
        except duckdb.Error as error:
            raise refused_statement("DuckDB", first_line(error), is_missing=_is_missing(error)) from error

    def relations(self, schema: str) -> Mapping[str, str]:
        """The tables and views of a schema."""
        return listed_relations(self, schema, condition="and table_catalog = current_database()")

    def close(self) -> None:
        """End the session, so that a writer may open the file."""
        self._connection.close()


def _is_missing(error: "duckdb.Error") -> bool:
    """Recognise that a table or column is not there; a column has no class of its own, only these words."""
    import duckdb

    if isinstance(error, duckdb.CatalogException):
        return "Table with name" in str(error)
    return isinstance(error, duckdb.BinderException) and _NO_COLUMN.search(str(error)) is not None


def open_target(target: Target) -> DuckDBWarehouse:
    """Open the file of the target."""
    import duckdb

    path = FILE.path(target.options)
    if not path.is_file():
        hint = "linker demo" if target.name == "demo" else f"check `path` of target `{target.name}` in profiles.yml"
        raise WarehouseError(f"there is no DuckDB file at {path}", hint=hint)
    try:
        connection = duckdb.connect(str(path), read_only=True, config=_limits(target))
        for statement in _SESSION:
            connection.execute(statement)
        return DuckDBWarehouse(connection)
    except duckdb.Error as error:
        if isinstance(error, duckdb.IOException) and (who := holder(str(error))):
            raise WarehouseError(
                f"{path} is open for writing in another process: {who}", hint="try again when that has ended"
            ) from error
        raise WarehouseError(f"{path} cannot be opened: {first_line(error)}", hint="is it a DuckDB file?") from error


def _limits(target: Target) -> dict[str, str | bool | int | float | list[str]]:
    """Limits of a statement: nothing goes to disk, and what DuckDB does not count needs a part of the memory too."""
    return {
        "memory_limit": f"{target.session_memory_mb * 3 // 4}MB",
        "threads": str(min(_MOST_THREADS, os.cpu_count() or 1)),
        "temp_directory": "",
    }


# https://duckdb.org/docs/stable/sql/functions/overview: functions that compute from their arguments alone.
_PROBE_FUNCTIONS = """
    abs acos acosh add age aggregate ago any_value apply approx_count_distinct approx_quantile approx_top_k arbitrary
    arg_max arg_max_null arg_max_nulls_last arg_min arg_min_null arg_min_nulls_last argmax argmin array_agg array_aggr
    array_aggregate array_append array_apply array_cat array_concat array_contains array_cosine_distance
    array_cosine_similarity array_cross_product array_distance array_distinct array_dot_product array_extract
    array_filter array_grade_up array_has array_has_all array_has_any array_indexof array_inner_product array_intersect
    array_length array_negative_dot_product array_negative_inner_product array_pop_back array_pop_front array_position
    array_prepend array_push_back array_push_front array_reduce array_resize array_reverse array_reverse_sort
    array_select array_slice array_sort array_to_json array_to_string array_to_string_comma_default array_transform
    array_unique array_value array_where array_zip ascii asin asinh atan atan2 atanh avg bar base64 bin bit_and
    bit_count bit_length bit_or bit_position bit_xor bitstring bitstring_agg bool_and bool_or cardinality cast cbrt ceil
    ceiling century char_length character_length chr coalesce columns concat concat_ws contains corr cos cosh cot count
    count_if count_star countif covar_pop covar_samp cume_dist current_date current_localtime current_localtimestamp
    damerau_levenshtein date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname
    dayofmonth dayofweek dayofyear days_in_month decade decimal_average decode degrees dense_rank divide editdist3
    element_at encode ends_with entropy enum_code enum_first enum_last enum_range enum_range_boundary epoch epoch_ms
    epoch_ns epoch_us equi_width_bins era even exists exp extract factorial favg fdiv fill filter first first_value
    flatten floor fmod format format_bytes from_base64 from_binary from_hex from_json from_json_strict fsum gamma gcd
    gen_random_uuid generate_series generate_subscripts geomean geometric_mean get_bit get_current_time
    get_current_timestamp grade_up greatest greatest_common_divisor group_concat grouping grouping_id hamming hash hex
    histogram histogram_exact hour if ifnull ilike_escape instr isfinite isinf isnan isodow isoyear jaccard
    jaro_similarity jaro_winkler_similarity json json_array json_array_length json_contains json_deep_merge json_each
    json_exists json_extract json_extract_path json_extract_path_text json_extract_string json_group_array
    json_group_object json_group_structure json_insert json_keys json_merge_patch json_merge_patch_diff json_normalize
    json_object json_pretty json_quote json_remove json_replace json_set json_strip_nulls json_structure json_transform
    json_transform_strict json_tree json_type json_valid json_value julian kahan_sum kurtosis kurtosis_pop lag last
    last_day last_value lcase lcm lead least least_common_multiple left left_grapheme len length length_grapheme
    levenshtein lgamma like_escape list list_aggr list_aggregate list_any_value list_append list_apply
    list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or list_cat
    list_concat list_contains list_cosine_distance list_cosine_similarity list_count list_distance list_distinct
    list_dot_product list_element list_entropy list_extract list_filter list_first list_grade_up list_has list_has_all
    list_has_any list_histogram list_indexof list_inner_product list_intersect list_kurtosis list_kurtosis_pop list_last
    list_mad list_max list_median list_min list_mode list_negative_dot_product list_negative_inner_product list_pack
    list_position list_prepend list_product list_reduce list_resize list_reverse list_reverse_sort list_select list_sem
    list_skewness list_slice list_sort list_stddev_pop list_stddev_samp list_string_agg list_sum list_transform
    list_unique list_value list_var_pop list_var_samp list_where list_zip listagg ln log log10 log2 lower lpad ltrim
    lttb mad make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz map map_concat
    map_contains map_contains_entry map_contains_value map_entries map_extract map_extract_value map_from_entries
    map_keys map_values max max_by md5 mean median microsecond millennium millisecond min min_by minute mismatches mod
    mode month monthname multiply nanosecond nextafter nfc_normalize normalized_interval not_ilike_escape
    not_like_escape now nth_value ntile nullif octet_length ord overlay parse_dirname parse_dirpath parse_filename
    parse_formatted_bytes parse_path path_join percent_rank pi position pow power prefix printf product quantile
    quantile_cont quantile_disc quarter radians random range rank reduce regexp_escape regexp_extract regexp_extract_all
    regexp_full_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regr_avgx regr_avgy
    regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace reservoir_quantile reverse
    right right_grapheme round round_even roundbankers row row_number row_to_json rpad rtrim second sem set_bit sha1
    sha256 sign signbit sin sinh skewness split split_part sqrt starts_with stddev stddev_pop stddev_samp str_split
    str_split_regex strftime string_agg string_split string_split_regex string_to_array strip_accents strlen strpos
    strptime struct struct_concat struct_contains struct_extract struct_extract_at struct_has struct_indexof
    struct_insert struct_keys struct_pack struct_position struct_update struct_values substr substring
    substring_grapheme subtract suffix sum sum_no_overflow sumkahan switch tan tanh time_bucket timezone timezone_hour
    timezone_minute to_base to_base64 to_binary to_centuries to_days to_decades to_hex to_hours to_json to_microseconds
    to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_timestamp to_weeks to_years today
    transaction_timestamp translate trim trunc try try_cast try_strptime typeof ucase unbin unhex unicode union_extract
    union_tag union_value unnest upper url_decode url_encode uuid uuid_extract_timestamp uuid_extract_version uuidv4
    uuidv7 var_pop var_samp variance vertex_extract wavg week weekday weekofyear weighted_avg xor year yearweek
"""
# `histogram(table, column)` reads a table behind the guard's back.
_PROBE_TABLE_FUNCTIONS = """
    unnest generate_series range json_each json_tree generate_subscripts
"""
# https://duckdb.org/docs/stable/sql/functions/overview, and the functions of its extensions.
_REFUSALS = Refusals(
    names=REFUSED_EVERYWHERE
    | words(
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
_HINTS = (
    "The warehouse is DuckDB",
    "- Names with capitals, blanks or other marks stand in double quotes, texts in single quotes.",
    "- Dates: `date '2025-03-01'`, `year(d)`, `date_trunc('month', d)`, `d + interval 1 month`, "
    "`date_diff('day', a, b)`; seconds since 1970 by `to_timestamp(s)`, milliseconds by `epoch_ms(ms)`.",
    "- `/` divides exactly, `//` drops the rest. `count(*) filter (where …)` counts a part.",
    "- Fields of structs: `column.field`. Lists: `unnest(list)` in a sub-query. JSON: `column ->> '$.path'` as text.",
    "- `ilike` compares without case. `qualify` filters windows.",
)
DIALECT = Dialect(
    name="duckdb",
    probe_functions=ProbeFunctions(words(_PROBE_FUNCTIONS), words(_PROBE_TABLE_FUNCTIONS), namespaces=None),
    refusals=_REFUSALS,
    pseudo_columns=frozenset({"rowid", "filename"}),
    probed_pseudo_columns=frozenset({"rowid"}),
    sql_hints=_HINTS,
    file=FILE,
    failures=(
        KnownFailure(
            pattern=r"could not set lock on file",
            what="another process has the DuckDB file open",
            hint="run it again when that has ended",
        ),
    ),
)
