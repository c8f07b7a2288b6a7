    with keys as (
        
    select
        table_schema as schema_name,
        table_name,
        constraint_type || ' ' || constraint_name || ' ' || to_varchar(created, 'yyyy-mm-dd hh24:mi:ss.ff9') as declared
    from information_schema.table_constraints

    )

    select schema_name, table_name, md5(to_json(array_agg(declared) within group (order by declared))) as token
    from keys
    where lower(schema_name) not in ('public_linker')
    group by schema_name, table_name;
