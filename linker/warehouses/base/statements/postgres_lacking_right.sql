select
    format('%s on %s', lacking.rights, lacking.place),
    format(lacking.granting, lacking.place, quote_ident(current_user), quote_ident(wanted.name))
from (select cast(? as text) as name) as wanted
left join pg_catalog.pg_namespace as schemas on schemas.nspname = wanted.name
cross join lateral (
    select
        'create' as rights, 'database ' || quote_ident(current_database()) as place,
        schemas.oid is null and not has_database_privilege(current_database(), 'create') as is_lacking,
        'grant create on %1$s to %2$s, or create schema %3$s authorization %2$s' as granting
    union all
    select
        'usage, create', 'schema ' || quote_ident(schemas.nspname),
        not (has_schema_privilege(schemas.oid, 'usage') and has_schema_privilege(schemas.oid, 'create')),
        'grant usage, create on %1$s to %2$s'
) as lacking
where lacking.is_lacking
