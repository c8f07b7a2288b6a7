select to_json_string(array_agg(struct(value as value, value_count as count) order by value_count desc, value)) as tops from value_counts;
