select to_hex(md5(name)) as digest from files;
