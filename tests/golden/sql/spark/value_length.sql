select length(name) as length from files;

select octet_length(name) as length from files;

select cardinality(name) as length from files;
