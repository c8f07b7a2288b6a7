select get(address, 'zip "code') as zip from customers;
