select cast(to_json(list({'value': value, 'count': cast(value_count as bigint)} order by value_count desc, value)) as varchar) as tops from value_counts;
