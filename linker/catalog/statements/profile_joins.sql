select joins.*
from {linker_joins} as joins
where (joins.from_schema = ? and joins.from_table = ?) or (joins.to_schema = ? and joins.to_table = ?)
order by joins.confidence desc, joins.from_schema, joins.from_table, joins.from_columns, joins.to_columns
