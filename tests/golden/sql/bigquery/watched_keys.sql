    with keys as (
        
    select
        from_schema as schema_name,
        from_table as table_name,
        key_name || ' ' || from_column || ' > ' || to_schema || ' ' || to_table || ' ' || to_column as declared
    from (
    
    select
        cast(null as string) as key_name,
        cast(null as string) as from_schema,
        cast(null as string) as from_table,
        cast(null as string) as from_column,
        cast(null as string) as to_schema,
        cast(null as string) as to_table,
        cast(null as string) as to_column,
        cast(null as bigint) as position
    from (select 1 as nothing) as nothing
    where 1 = 0
) as foreign_keys

    union all

    select schema_name, table_name, column_name as declared
    from (
    select * from (select cast(null as string) as schema_name, cast(null as string) as table_name, cast(null as string) as column_name) as nothing where 1 = 0
) as primary_keys

    )

    select schema_name, table_name, to_hex(md5(to_json_string(array_agg(declared order by declared)))) as token
    from keys
    where lower(schema_name) not in ('analytics_linker')
    group by schema_name, table_name;
