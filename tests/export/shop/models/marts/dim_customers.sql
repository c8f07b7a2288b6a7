select
    customers.customer_id,
    customers.country,
    sum(orders.amount) as amount_spent
from {{ source('raw', 'customers') }} as customers
left join {{ ref('fct_orders') }} as orders on orders.customer_id = customers.customer_id
group by customers.customer_id, customers.country
