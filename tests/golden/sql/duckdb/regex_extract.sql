select nullif(regexp_extract(name, '^(.*)_[0-9]{2}\.csv$', 1), '') as stem from files;
