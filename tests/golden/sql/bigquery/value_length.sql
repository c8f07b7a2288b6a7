select length(name) as length from files;

select length(name) as length from files;

select array_length(name) as length from files;
