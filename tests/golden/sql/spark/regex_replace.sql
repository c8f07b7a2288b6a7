select regexp_replace(name, '([a-z])[0-9]+', '$1-') as plain from files;
