    select schema_name, table_name, coalesce(change_token, '') as token
    from (
    with tables as (
        select
            table_catalog,
            table_schema,
            table_name,
            case when table_type = 'VIEW' then 'view' else 'table' end as table_kind,
            row_count,
            bytes,
            created,
            last_altered,
            comment
        from information_schema.tables
        where table_schema <> 'INFORMATION_SCHEMA' and table_type not in ('TEMPORARY TABLE', 'EVENT TABLE')
    )

    select
        table_catalog as database_name,
        table_schema as schema_name,
        table_name as table_name,
        case when table_kind = 'table' then row_count end as row_count,
        case when table_kind = 'table' then bytes end as byte_count,
        case
            when table_kind = 'table'
                then md5(concat_ws(
                    ':',
                    to_varchar(created, 'yyyy-mm-dd hh24:mi:ss.ff9'),
                    to_varchar(last_altered, 'yyyy-mm-dd hh24:mi:ss.ff9'),
                    coalesce(to_varchar(row_count), ''),
                    coalesce(to_varchar(bytes), '')
                ))
        end as change_token
    from tables
) as changes
    where lower(schema_name) not in ('public_linker');
