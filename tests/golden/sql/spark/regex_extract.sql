select get(regexp_extract_all(name, '^(.*)_[0-9]{2}\\.csv$', 1), 0) as stem from files;
