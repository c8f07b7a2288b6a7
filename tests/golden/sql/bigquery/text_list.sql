select to_json_string(array_agg(name order by place)) as names from files group by folder;
