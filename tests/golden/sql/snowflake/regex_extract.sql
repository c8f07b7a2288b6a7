select regexp_substr(name, '^(.*)_[0-9]{2}\\.csv$', 1, 1, 'e', 1) as stem from files;
