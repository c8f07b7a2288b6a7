select name from files where regexp_matches(name, '[.](csv|tsv)$');
