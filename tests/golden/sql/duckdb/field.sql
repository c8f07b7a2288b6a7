select struct_extract(address, 'zip "code') as zip from customers;
