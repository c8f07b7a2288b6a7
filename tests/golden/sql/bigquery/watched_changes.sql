    select schema_name, table_name, coalesce(change_token, '') as token
    from (
    with tables as (
    select project_id, dataset_id, table_id, row_count, size_bytes, creation_time, last_modified_time, type from `project`.`sales`.__TABLES__
    )

    select
        project_id as database_name,
        dataset_id as schema_name,
        table_id as table_name,
        row_count,
        size_bytes as byte_count,
        to_hex(md5(format('%d:%d:%d:%d', creation_time, last_modified_time, row_count, size_bytes))) as change_token
    from tables
    where type = 1
) as changes
    where lower(schema_name) not in ('analytics_linker');
