    select '' as schema_name, 'linker_attempts' as table_name, cast(count(*) as TEXT) as token
    from linker_attempts;
