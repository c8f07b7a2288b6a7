select customers.country, count(*) as orders, sum(orders.amount) as amount
from {{ ref('orders') }} as orders
inner join {{ ref('customers') }} as customers on orders.customer_id = customers.customer_id
group by customers.country
