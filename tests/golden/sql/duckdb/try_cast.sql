select try_cast(name as bigint) as value from files;

select try_cast(name as hugeint) as value from files;

select try_cast(name as double) as value from files;

select try_cast(name as date) as value from files;

select try_cast(name as timestamp) as value from files;

select try_cast(name as boolean) as value from files;
