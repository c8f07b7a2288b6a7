select regexp_extract(name, '^(.*)_[0-9]{2}\\.csv$') as stem from files;
