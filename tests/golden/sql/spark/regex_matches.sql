select name from files where regexp_like(name, '[.](csv|tsv)$');
