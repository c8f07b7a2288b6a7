select try_cast(name as number(38, 0)) as value from files;

select try_cast(name as number(38, 0)) as value from files;

select try_cast(name as double) as value from files;

select try_cast(name as date) as value from files;

select try_cast(name as timestamp_ntz) as value from files;

select try_cast(name as boolean) as value from files;
