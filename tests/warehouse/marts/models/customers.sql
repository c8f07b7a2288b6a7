select distinct customer_id, 'name ' || customer_id as customer_name from {{ ref('orders') }}
