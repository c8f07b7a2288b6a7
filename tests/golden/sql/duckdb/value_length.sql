select length(name) as length from files;

select octet_length(name) as length from files;

select len(name) as length from files;
