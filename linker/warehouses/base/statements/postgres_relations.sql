select schemas.nspname, classes.relname
from pg_catalog.pg_class as classes
inner join pg_catalog.pg_namespace as schemas on classes.relnamespace = schemas.oid
where classes.relkind in ('r', 'p', 'v', 'm', 'f')
    and has_schema_privilege(schemas.oid, 'usage') and has_any_column_privilege(classes.oid, 'select')
    and lower(schemas.nspname) = lower($1)
