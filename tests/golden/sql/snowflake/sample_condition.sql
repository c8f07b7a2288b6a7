select id from orders where uniform(0::float, 1::float, random()) < 0.01;

select id from orders where uniform(0::float, 1::float, random()) < 0.01;
