select range as order_id, range % 7 as customer_id from range(40)
