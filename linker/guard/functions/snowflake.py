"""
What a probe may call in Snowflake: functions that compute from their arguments alone.

https://docs.snowflake.com/en/sql-reference/functions-all
"""

NAMES = """
    abs acos acosh add_months any_value approx_count_distinct approx_percentile approx_percentile_accumulate
    approx_percentile_combine approx_percentile_estimate approx_top_k approximate_jaccard_index
    approximate_similarity array_agg array_append array_cat array_compact array_construct
    array_construct_compact array_contains array_distinct array_except array_flatten array_generate_range
    array_insert array_intersection array_max array_min array_position array_prepend array_remove array_size
    array_slice array_sort array_to_string array_union_agg array_unique_agg arrays_overlap arrays_to_object
    arrays_zip as_array as_boolean as_char as_date as_decimal as_double as_integer as_number as_object as_real
    as_time as_timestamp_ntz as_varchar ascii asin asinh atan atan2 atanh avg base64_decode_string base64_encode
    bit_and bit_length bit_or bit_xor bitand bitand_agg bitmap_bit_position bitmap_bucket_number bitmap_count
    bitnot bitor bitor_agg bitshiftleft bitshiftright bitxor bitxor_agg booland booland_agg boolnot boolor
    boolor_agg boolxor boolxor_agg btrim case cast cbrt ceil ceiling char char_length character_length charindex
    check_json chr coalesce collate collation compress concat concat_ws conditional_change_event
    conditional_true_event contains convert_timezone corr cos cosh cot count count_if count_star covar_pop
    covar_samp cume_dist current_date current_time current_timestamp date date_from_parts date_part date_trunc
    dateadd datediff datefromparts day dayname dayofmonth dayofweek dayofweekiso dayofyear decode degrees
    dense_rank div0 div0null editdistance endswith equal_null exists exp extract factorial filter first_value
    flatten floor generator get get_ignore_case get_path getdate greatest grouping grouping_id h3_latlng_to_cell
    hash hash_agg haversine hex_decode_string hex_encode hll hll_accumulate hll_combine hll_estimate hll_export
    hour iff ifnull ilike initcap insert is_array is_boolean is_char is_date is_decimal is_double is_integer
    is_null_value is_object is_real is_time is_timestamp_ntz is_varchar jarowinkler_similarity
    json_extract_path_text kurtosis lag last_day last_value lead least left len length like_all like_any listagg
    ln localtime localtimestamp log log10 lower lpad ltrim max max_by md5 md5_hex md5_number_lower64
    md5_number_upper64 median min min_by minhash minhash_combine minute mod mode month monthname months_between
    next_day normal nth_value ntile nullif nullifzero nvl nvl2 object_agg object_construct
    object_construct_keep_null object_delete object_insert object_keys object_pick octet_length overlay parse_ip
    parse_json parse_url percent_rank percentile_cont percentile_disc pi position pow power previous_day quarter
    radians random randstr rank ratio_to_report reduce regexp_count regexp_instr regexp_like regexp_replace
    regexp_substr regexp_substr_all regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
    regr_sxy regr_syy repeat replace reverse right rlike round row_number rpad rtrim rtrimmed_length second seq1
    seq2 seq4 seq8 sha1 sha1_hex sha2 sha2_hex sign sin sinh skew soundex space split split_part split_to_table
    sqrt square st_area st_asgeojson st_astext st_centroid st_contains st_distance st_dwithin
    st_geographyfromwkt st_intersects st_length st_makepoint st_within st_x st_y startswith stddev stddev_pop
    stddev_samp string_agg strip_null_value strpos strtok strtok_split_to_table strtok_to_array substr substring
    sum sysdate systimestamp table tan tanh time time_from_parts time_slice timeadd timediff timefromparts
    timestamp_from_parts timestamp_ltz_from_parts timestamp_ntz_from_parts timestampadd timestampdiff
    timestampfromparts to_array to_binary to_boolean to_char to_date to_decimal to_double to_geography
    to_geometry to_json to_number to_numeric to_object to_time to_timestamp to_timestamp_ltz to_timestamp_ntz
    to_timestamp_tz to_varchar to_variant to_xml transform translate trim trunc truncate
    try_base64_decode_string try_cast try_hex_decode_string try_parse_json try_to_boolean try_to_date
    try_to_decimal try_to_double try_to_number try_to_numeric try_to_time try_to_timestamp try_to_timestamp_ntz
    try_to_timestamp_tz typeof unicode uniform upper uuid_string var_pop var_samp variance variance_pop
    variance_samp week weekiso weekofyear width_bucket xmlget year yearofweek yearofweekiso zeroifnull zipf
"""
# Functions that may stand in a `from`.
TABLES = """
    flatten generator split_to_table strtok_split_to_table
"""
