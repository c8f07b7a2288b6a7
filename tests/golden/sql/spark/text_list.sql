select to_json(transform(array_sort(collect_list(struct(place, name as written))), listed -> listed.written)) as names from files group by folder;
