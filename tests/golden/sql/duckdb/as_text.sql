select cast(amount as TEXT) as value from orders;

select cast(amount as TEXT) as value from orders;

select cast(amount as TEXT) as value from orders;

select cast(amount as TEXT) as value from orders;

select cast(amount as TEXT) as value from orders;

select cast(amount as TEXT) as value from orders;

select cast(amount as TEXT) as value from orders;

select cast(amount as TEXT) as value from orders;

select cast(amount as TEXT) as value from orders;

select cast(amount as TEXT) as value from orders;
