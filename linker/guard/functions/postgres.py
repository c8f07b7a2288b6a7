"""
What a probe may call in Postgres: functions that compute from their arguments alone, or tell a size or a type.

https://www.postgresql.org/docs/current/functions.html
"""

NAMES = """
    abs acos acosd acosh age any_value area array_agg array_append array_cat array_dims array_fill array_length
    array_lower array_ndims array_position array_positions array_prepend array_remove array_replace
    array_reverse array_sample array_shuffle array_sort array_to_json array_to_string array_upper ascii asin
    asind asinh atan atan2 atan2d atand atanh avg bit_and bit_count bit_length bit_or bit_xor bool_and bool_or
    btrim cardinality casefold cast cbrt ceil ceiling center char_length character_length chr clock_timestamp
    coalesce concat concat_ws convert_from convert_to corr cos cosd cosh cot cotd count covar_pop covar_samp
    cume_dist current_date current_time current_timestamp date date_add date_bin date_part date_subtract
    date_trunc daterange decode degrees dense_rank diameter div encode every exists exp extract factorial family
    first_value floor format gcd gen_random_uuid generate_series generate_subscripts get_bit get_byte greatest
    grouping height host inet_same_family initcap int4range int8range isempty isfinite json_agg json_array
    json_array_elements json_array_elements_text json_array_length json_arrayagg json_build_array
    json_build_object json_each json_each_text json_exists json_extract_path json_extract_path_text json_object
    json_object_agg json_object_keys json_objectagg json_query json_strip_nulls json_typeof json_value jsonb_agg
    jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object
    jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object
    jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_match jsonb_path_query
    jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls jsonb_typeof
    justify_days justify_hours justify_interval lag last_value lcm lead least left length levenshtein ln
    localtime localtimestamp log log10 log2 lower lower_inc lower_inf lpad ltrim make_date make_interval
    make_time make_timestamp make_timestamptz masklen max md5 metaphone min min_scale mod mode netmask network
    normalize now nth_value ntile nullif num_nonnulls num_nulls numnode numrange octet_length overlay
    parse_ident percent_rank percentile_cont percentile_disc pg_column_size pg_size_pretty pg_typeof
    phraseto_tsquery pi plainto_tsquery point position power quote_ident quote_literal quote_nullable radians
    radius random range_agg range_merge rank regexp_count regexp_instr regexp_like regexp_match regexp_matches
    regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count
    regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace reverse right round row
    row_number row_to_json rpad rtrim scale sha224 sha256 sha384 sha512 sign similarity sin sind sinh soundex
    split_part sqrt starts_with statement_timestamp stddev stddev_pop stddev_samp string_agg string_to_array
    string_to_table strpos substr substring sum tan tand tanh timezone to_ascii to_bin to_char to_date to_hex
    to_json to_jsonb to_number to_oct to_timestamp to_tsquery to_tsvector transaction_timestamp translate trim
    trim_array trim_scale trunc ts_rank tsrange tstzrange unaccent unistr unnest upper upper_inc upper_inf
    uuid_extract_timestamp var_pop var_samp variance websearch_to_tsquery width_bucket word_similarity
"""
# Functions that may stand in a `from`.
TABLES = """
    generate_series generate_subscripts json_array_elements json_array_elements_text json_each json_each_text
    json_object_keys jsonb_array_elements jsonb_array_elements_text jsonb_each jsonb_each_text jsonb_object_keys
    jsonb_path_query regexp_matches regexp_split_to_table string_to_table unnest
"""
