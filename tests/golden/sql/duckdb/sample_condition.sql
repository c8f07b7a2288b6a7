select id from orders where hash(rowid) % 1000000 < 10000;

select id from orders where random() < 0.01;
