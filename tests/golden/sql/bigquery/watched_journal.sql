    select '' as schema_name, 'linker_attempts' as table_name, cast(count(*) as string) as token
    from linker_attempts;
