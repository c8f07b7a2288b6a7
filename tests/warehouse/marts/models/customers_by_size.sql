select customer_id, count(*) as orders
from {{ ref('orders') }}
inner join {{ ref('customers') }} using (customer_id)
group by customer_id
