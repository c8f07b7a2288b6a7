select id from orders where random() < 0.01;

select id from orders where random() < 0.01;
