{{ config(database='lake') }}
select * from {{ ref('orders') }}
