select amount as amount from orders;

select case when amount = 0 then 0 else amount end as amount from orders;

select amount as amount from orders;

select amount as amount from orders;

select amount as amount from orders;
