select namespaces.nspname
from pg_catalog.pg_extension as extensions
inner join pg_catalog.pg_namespace as namespaces on extensions.extnamespace = namespaces.oid
where extensions.extname = 'pg_stat_statements'
