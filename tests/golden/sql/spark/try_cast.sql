select try_cast(name as bigint) as value from files;

select try_cast(name as decimal(36, 0)) as value from files;

select try_cast(name as double) as value from files;

select try_cast(name as date) as value from files;

select try_cast(name as timestamp_ntz) as value from files;

select try_cast(name as boolean) as value from files;
