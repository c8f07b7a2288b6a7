select name from files where (regexp_instr(name, '[.](csv|tsv)$') > 0);
