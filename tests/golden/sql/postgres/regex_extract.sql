select substring(name from '^(.*)_[0-9]{2}\.csv$') as stem from files;
