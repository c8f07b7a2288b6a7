select regexp_replace((name) collate "C", '([a-z])[0-9]+', '\1-', 'g') as plain from files;
