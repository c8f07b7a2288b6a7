select md5(name) as digest from files;
