select '[' || string_agg(coalesce(cast(to_json(name) as text), 'null'), ',' order by place) || ']' as names from files group by folder;
