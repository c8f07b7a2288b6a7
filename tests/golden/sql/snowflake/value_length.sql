select length(name) as length from files;

select length(name) as length from files;

select array_size(name) as length from files;
