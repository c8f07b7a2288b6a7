select 1 as try_id
