select id from orders where rand() < 0.01;

select id from orders where rand() < 0.01;
