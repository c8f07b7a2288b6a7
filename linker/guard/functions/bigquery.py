"""
What a probe may call in BigQuery: functions that compute from their arguments alone.

https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-all
"""

NAMES = """
    abs acos acosh any_value approx_count_distinct approx_quantiles approx_top_count approx_top_sum array
    array_agg array_avg array_concat array_concat_agg array_filter array_first array_includes array_last
    array_length array_max array_min array_reverse array_slice array_sum array_to_string array_transform ascii
    asin asinh atan atan2 atanh avg bit_and bit_count bit_length bit_or bit_xor bool bool_array btrim
    byte_length cast cbrt ceil ceiling char_length character_length chr coalesce code_points_to_bytes
    code_points_to_string collate concat concat_ws contains_substr corr cos cosh cosine_distance cot coth count
    count_if countif covar_pop covar_samp csc csch cume_dist current_date current_datetime current_time
    current_timestamp date date_add date_bucket date_diff date_from_unix_date date_part date_sub date_trunc
    datetime datetime_add datetime_bucket datetime_diff datetime_sub datetime_trunc degrees dense_rank div
    dot_product edit_distance ends_with euclidean_distance exists exp extract extract_float64 extract_int64
    farm_fingerprint first_value float64 floor format format_date format_datetime format_time format_timestamp
    from_base32 from_base64 from_hex generate_array generate_date_array generate_range_array
    generate_timestamp_array generate_uuid greatest grouping host ieee_divide if iferror ifnull init
    init_float64 init_int64 initcap instr int64 ip_from_string ip_net_mask ip_to_string ip_trunc ipv4_from_int64
    ipv4_to_int64 is_inf is_nan json_array json_extract json_extract_array json_extract_scalar
    json_extract_string_array json_keys json_object json_query json_query_array json_set json_strip_nulls
    json_type json_value json_value_array justify_days justify_hours justify_interval lag last_day last_value
    lax_bool lax_float64 lax_int64 lax_string lead least left length ln localtime localtimestamp log log10
    logical_and logical_or lower lpad ltrim make_interval max max_by md5 merge merge_float64 merge_int64
    merge_partial min min_by mod normalize normalize_and_casefold nth_value ntile nullif nulliferror
    octet_length offset ordinal overlay parse_bignumeric parse_date parse_datetime parse_json parse_numeric
    parse_time parse_timestamp percent_rank percentile_cont percentile_disc pi position pow power public_suffix
    radians rand range range_bucket range_contains range_end range_start rank reg_domain regexp_contains
    regexp_extract regexp_extract_all regexp_instr regexp_replace regexp_substr repeat replace reverse right
    round row_number rpad rtrim s2_cellidfrompoint safe_add safe_cast safe_convert_bytes_to_string safe_divide
    safe_ip_from_string safe_multiply safe_negate safe_offset safe_ordinal safe_subtract safe_to_json sec sech
    sha1 sha256 sha512 sign sin sinh soundex split split_part sqrt st_area st_asgeojson st_astext st_buffer
    st_centroid st_contains st_distance st_dwithin st_geogfromtext st_geogpoint st_intersects st_length
    st_simplify st_union st_within st_x st_y starts_with stddev stddev_pop stddev_samp string string_agg
    string_array strpos struct substr substring sum tan tanh time time_add time_diff time_sub time_trunc
    timestamp timestamp_add timestamp_bucket timestamp_diff timestamp_micros timestamp_millis timestamp_seconds
    timestamp_sub timestamp_trunc to_base32 to_base64 to_code_points to_hex to_json to_json_string translate
    trim trunc typeof unicode unix_date unix_micros unix_millis unix_seconds unnest week upper var_pop var_samp
    variance
"""
# Functions that may stand in a `from`.
TABLES = """
    unnest
"""
