"""
Snowflake: a session with a time limit, with the options that dbt-snowflake takes; the rules of its SQL.

Snowflake has no read-only session: beside the guard, give the role of the target no more than `select`.
The driver is imported when a session is opened.
"""

import base64
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linker.config.target import Target
from linker.errors import ConfigError, WarehouseError
from linker.warehouses.base import (
    SIGNATURE,
    TIMEOUT_SECONDS,
    USUAL,
    Bounds,
    Row,
    first_line,
    listed_relations,
    refused_statement,
)
from linker.warehouses.base.dialect import REFUSED_EVERYWHERE, Dialect, ProbeFunctions, QueryHistory, Refusals, words

if TYPE_CHECKING:
    import snowflake.connector

# https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-api#functions
_PASSED_ON = (
    *("user", "password", "role", "warehouse", "database", "schema", "authenticator", "token"),
    *("host", "port", "protocol", "proxy_host", "proxy_port", "insecure_mode", "client_session_keep_alive"),
)
# "Object does not exist or not authorized" (SQLSTATE 42S02), and "invalid identifier" (SQLSTATE 42000).
_MISSING = (2003, 904)


class SnowflakeWarehouse:
    """A session in one database."""

    dialect = "snowflake"
    bytes_read = None

    def __init__(self, connection: "snowflake.connector.SnowflakeConnection") -> None:
        self._connection = connection

    def query(self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL) -> list[Row]:
        """Run one statement that reads."""
        import snowflake.connector

        # Behind the statement: Snowflake drops a comment before it. The tag may be the target's own.
        text = f"{sql} {SIGNATURE}"
        try:
            with self._connection.cursor() as cursor:
                cursor.execute(
                    text,
                    tuple(parameters) or None,
                    num_statements=1,
                    _statement_params={"STATEMENT_TIMEOUT_IN_SECONDS": bounds.seconds},
                )
                rows = cursor.fetchall() if bounds.rows is None else cursor.fetchmany(bounds.rows)
                return [tuple(row) for row in rows]
        except (snowflake.connector.Error, ValueError) as error:
            is_missing = getattr(error, "errno", None) in _MISSING
            raise refused_statement("Snowflake", first_line(error), is_missing=is_missing) from error

    def relations(self, schema: str) -> Mapping[str, str]:
        """The tables and views of a schema; dbt writes most names without quotes, so they are in upper case."""
        return listed_relations(self, schema)

    def close(self) -> None:
        """End the session."""
        self._connection.close()


def open_target(target: Target) -> SnowflakeWarehouse:
    """Connect to the account of the target."""
    import snowflake.connector

    try:
        return SnowflakeWarehouse(snowflake.connector.connect(**connection_options(target)))
    except (snowflake.connector.Error, OSError) as error:
        raise WarehouseError(
            f"Snowflake of target `{target.name}` cannot be opened: {first_line(error)}",
            hint=f"check target `{target.name}` in profiles.yml; `dbt debug` connects with it too",
        ) from error


def connection_options(target: Target) -> dict[str, Any]:
    """Options of the connector; an empty option is one that is not set."""
    options = {key: value for key, value in target.options.items() if value not in (None, "")}
    if options.get("oauth_client_id") or options.get("oauth_client_secret"):
        raise ConfigError(
            f"target `{target.name}` signs in with a refresh token, which linker does not exchange",
            hint="use key pair authentication (`private_key_path`), or `authenticator: oauth` with an access token",
        )
    passed = {key: options[key] for key in _PASSED_ON if key in options}
    # As dbt does: underscores are part of an account's name, but not of its address.
    passed["account"] = re.sub("_", "-", str(options.get("account", "")))
    if passed.get("authenticator") == "jwt":
        passed["authenticator"] = "oauth"
    if "authenticator" in passed:
        passed |= {"client_store_temporary_credential": True, "client_request_mfa_token": True}
    return passed | _private_key(target, options) | _session(options)


def _session(options: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {"STATEMENT_TIMEOUT_IN_SECONDS": TIMEOUT_SECONDS, "QUERY_TAG": options.get("query_tag", "dbt-linker")}
    return {
        "application": "dbt_linker",
        "autocommit": True,
        "paramstyle": "qmark",
        "network_timeout": options.get("network_timeout", TIMEOUT_SECONDS),
        "login_timeout": options.get("connect_timeout", 30),
        "session_parameters": {**parameters, "CLIENT_TELEMETRY_ENABLED": False},
    }


def _private_key(target: Target, options: Mapping[str, Any]) -> dict[str, Any]:
    """The key of a key pair: in a file, or itself as PEM or as the Base64 of DER."""
    passphrase = options.get("private_key_passphrase")
    if path := options.get("private_key_path"):
        return {"private_key_file": str(path), **({"private_key_file_pwd": str(passphrase)} if passphrase else {})}
    if not (given := options.get("private_key")):
        return {}
    from cryptography.hazmat.primitives import serialization

    password = str(passphrase).encode() if passphrase else None
    try:
        if str(given).startswith("-"):
            key = serialization.load_pem_private_key(str(given).encode(), password)
        else:
            key = serialization.load_der_private_key(base64.b64decode(str(given)), password)
    except (ValueError, TypeError):
        # The reason may quote the key.
        raise ConfigError(
            f"`private_key` of target `{target.name}` is not a private key, or its passphrase is wrong",
            hint="give it as PEM, or as the Base64 of DER; or name its file with `private_key_path`",
        ) from None
    pkcs8 = serialization.PrivateFormat.PKCS8
    return {"private_key": key.private_bytes(serialization.Encoding.DER, pkcs8, serialization.NoEncryption())}


# https://docs.snowflake.com/en/sql-reference/functions-all: functions that compute from their arguments alone.
_PROBE_FUNCTIONS = """
    abs acos acosh add_months any_value approx_count_distinct approx_percentile approx_percentile_accumulate
    approx_percentile_combine approx_percentile_estimate approx_top_k approximate_jaccard_index approximate_similarity
    array_agg array_append array_cat array_compact array_construct array_construct_compact array_contains array_distinct
    array_except array_flatten array_generate_range array_insert array_intersection array_max array_min array_position
    array_prepend array_remove array_size array_slice array_sort array_to_string array_union_agg array_unique_agg
    arrays_overlap arrays_to_object arrays_zip as_array as_boolean as_char as_date as_decimal as_double as_integer
    as_number as_object as_real as_time as_timestamp_ntz as_varchar ascii asin asinh atan atan2 atanh avg
    base64_decode_string base64_encode bit_and bit_length bit_or bit_xor bitand bitand_agg bitmap_bit_position
    bitmap_bucket_number bitmap_count bitnot bitor bitor_agg bitshiftleft bitshiftright bitxor bitxor_agg booland
    booland_agg boolnot boolor boolor_agg boolxor boolxor_agg btrim case cast cbrt ceil ceiling char char_length
    character_length charindex check_json chr coalesce collate collation compress concat concat_ws
    conditional_change_event conditional_true_event contains convert_timezone corr cos cosh cot count count_if
    count_star covar_pop covar_samp cume_dist current_date current_time current_timestamp date date_from_parts date_part
    date_trunc dateadd datediff datefromparts day dayname dayofmonth dayofweek dayofweekiso dayofyear decode degrees
    dense_rank div0 div0null editdistance endswith equal_null exists exp extract factorial filter first_value flatten
    floor generator get get_ignore_case get_path getdate greatest grouping grouping_id h3_latlng_to_cell hash hash_agg
    haversine hex_decode_string hex_encode hll hll_accumulate hll_combine hll_estimate hll_export hour iff ifnull ilike
    initcap insert is_array is_boolean is_char is_date is_decimal is_double is_integer is_null_value is_object is_real
    is_time is_timestamp_ntz is_varchar jarowinkler_similarity json_extract_path_text kurtosis lag last_day last_value
    lead least left len length like_all like_any listagg ln localtime localtimestamp log log10 lower lpad ltrim max
    max_by md5 md5_hex md5_number_lower64 md5_number_upper64 median min min_by minhash minhash_combine minute mod mode
    month monthname months_between next_day normal nth_value ntile nullif nullifzero nvl nvl2 object_agg
    object_construct object_construct_keep_null object_delete object_insert object_keys object_pick octet_length overlay
    parse_ip parse_json parse_url percent_rank percentile_cont percentile_disc pi position pow power previous_day
    quarter radians random randstr rank ratio_to_report reduce regexp_count regexp_instr regexp_like regexp_replace
    regexp_substr regexp_substr_all regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy
    regr_syy repeat replace reverse right rlike round row_number rpad rtrim rtrimmed_length second seq1 seq2 seq4 seq8
    sha1 sha1_hex sha2 sha2_hex sign sin sinh skew soundex space split split_part split_to_table sqrt square st_area
    st_asgeojson st_astext st_centroid st_contains st_distance st_dwithin st_geographyfromwkt st_intersects st_length
    st_makepoint st_within st_x st_y startswith stddev stddev_pop stddev_samp string_agg strip_null_value strpos strtok
    strtok_split_to_table strtok_to_array substr substring sum sysdate systimestamp table tan tanh time time_from_parts
    time_slice timeadd timediff timefromparts timestamp_from_parts timestamp_ltz_from_parts timestamp_ntz_from_parts
    timestampadd timestampdiff timestampfromparts to_array to_binary to_boolean to_char to_date to_decimal to_double
    to_geography to_geometry to_json to_number to_numeric to_object to_time to_timestamp to_timestamp_ltz
    to_timestamp_ntz to_timestamp_tz to_varchar to_variant to_xml transform translate trim trunc truncate
    try_base64_decode_string try_cast try_hex_decode_string try_parse_json try_to_boolean try_to_date try_to_decimal
    try_to_double try_to_number try_to_numeric try_to_time try_to_timestamp try_to_timestamp_ntz try_to_timestamp_tz
    typeof unicode uniform upper uuid_string var_pop var_samp variance variance_pop variance_samp week weekiso
    weekofyear width_bucket xmlget year yearofweek yearofweekiso zeroifnull zipf
"""
_PROBE_TABLE_FUNCTIONS = """
    flatten generator split_to_table strtok_split_to_table
"""
# https://docs.snowflake.com/en/sql-reference/functions-system, …/functions-file and …/functions-ai
_REFUSALS = Refusals(
    names=REFUSED_EVERYWHERE
    | words(
        """
        identifier get_presigned_url build_scoped_file_url build_stage_file_url get_stage_location get_absolute_path
        get_relative_path infer_schema result_scan last_query_id to_file validate
        """
    ),
    prefixes=("system$", "ai_", "fl_"),
)
# https://docs.snowflake.com/en/sql-reference/account-usage/query_history; it lags by up to 45 minutes.
_HISTORY = """
select min(query_text) as query_text, count(*) as runs, max(start_time)::date as last_run
from snowflake.account_usage.query_history
where database_name = current_database()
    and execution_status = 'SUCCESS'
    and query_type in ('SELECT', 'CREATE_VIEW', 'CREATE_TABLE_AS_SELECT', 'INSERT')
    and query_text not like '%{signature}'
    and query_text not like '{own_models}'
    and start_time >= dateadd(day, -{days}, current_timestamp())
group by query_parameterized_hash
order by last_run desc, runs desc, query_text
limit {most}
"""
_HINTS = (
    "The warehouse is Snowflake",
    "- Names without quotes are read in capitals; a name that is not all capitals in the schema stands in double "
    "quotes.",
    "- Dates: `to_date('2025-03-01')`, `year(d)`, `date_trunc('month', d)`, `dateadd(month, 1, d)`, "
    "`datediff(day, a, b)`; seconds since 1970 by `to_timestamp(s)`.",
    "- Semi-structured columns: `column:key.sub::string`, lists by `, lateral flatten(input => column) as f` and "
    "`f.value`.",
    "- `count_if(…)` counts a part. `ilike` compares without case. `qualify` filters windows.",
)
DIALECT = Dialect(
    name="snowflake",
    patience_seconds=2,
    unquoted_case="upper",
    probe_functions=ProbeFunctions(words(_PROBE_FUNCTIONS), words(_PROBE_TABLE_FUNCTIONS)),
    refusals=_REFUSALS,
    has_session_variables=True,
    has_stages=True,
    has_sequence_columns=True,
    pseudo_columns=words("metadata$filename metadata$action metadata$isupdate metadata$row_id level"),
    sql_hints=_HINTS,
    history=QueryHistory(_HISTORY),
)
