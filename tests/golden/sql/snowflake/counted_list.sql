select to_json(array_agg(object_construct('value', value, 'count', value_count)) within group (order by value_count desc, value)) as tops from value_counts;
