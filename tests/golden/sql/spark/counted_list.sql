select to_json(transform(array_sort(collect_list(struct(-value_count as place, value as value))), listed -> named_struct('value', listed.value, 'count', -listed.place))) as tops from value_counts;
