select ordered_on, count(*) as orders
from shop.orders
group by ordered_on
