select 'system.main' || string_agg(
    printf(',"%s"."%s"', replace(schemas.database_name, '"', '""'), replace(schemas.schema_name, '"', '""')), ''
    order by schemas.schema_name <> 'main', schemas.schema_name
)
from duckdb_schemas() as schemas
inner join duckdb_databases() as files on schemas.database_oid = files.database_oid
where not files.internal and schemas.schema_name not in ('information_schema', 'pg_catalog')
