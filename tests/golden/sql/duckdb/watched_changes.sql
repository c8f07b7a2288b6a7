    select schema_name, table_name, coalesce(change_token, '') as token
    from (with segments as (
        select
            1 as place, row_group_id, column_id, segment_id, start, count, has_updates, block_id, block_offset,
            cast(stats as varchar) as stats
        from pragma_storage_info('"shop"."sales"."orders"')
    ),

    counts as (
        select 1 as place, 'sales' as schema_name, 'orders' as table_name, count(*) as row_count
        from "shop"."sales"."orders"
    ),

    digests as (
        select
            place,
            count(distinct block_id) filter (where block_id >= 0) as block_count,
            bit_xor(hash(row_group_id, column_id, segment_id, start, count, has_updates, block_id, block_offset, stats)) as token
        from segments
        group by place
    )

    select counts.schema_name, counts.table_name, counts.row_count, coalesce(block_count, 0) * 262144 as byte_count, concat(row_count, ' ', token) as change_token
    from counts
    left join digests on counts.place = digests.place) as changes
    where lower(schema_name) not in ('main_linker');
