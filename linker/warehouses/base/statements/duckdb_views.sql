select schema_name, view_name
from duckdb_views()
where not internal and not temporary and database_name not in ('system', 'temp')
order by schema_name, view_name
