select name from files where regexp_contains(name, '[.](csv|tsv)$');
