select cast(to_json(list(name order by place)) as varchar) as names from files group by folder;
