select safe_cast(name as int64) as value from files;

select safe_cast(name as bignumeric) as value from files;

select safe_cast(name as float64) as value from files;

select safe_cast(name as date) as value from files;

select safe_cast(name as datetime) as value from files;

select safe_cast(name as bool) as value from files;
