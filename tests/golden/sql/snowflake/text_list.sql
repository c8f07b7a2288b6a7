select to_json(array_agg(name) within group (order by place)) as names from files group by folder;
