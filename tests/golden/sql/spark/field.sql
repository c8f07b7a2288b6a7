select (address).`zip "code` as zip from customers;
