select '[' || string_agg('{"value":' || to_json(value) || ',"count":' || value_count || '}', ',' order by value_count desc, value) || ']' as tops from value_counts;
