select name from files where ((name) collate "C" ~ '[.](csv|tsv)$');
