-- Settings of the transaction that holds a run's lock.
-- The transaction stays open for the whole run, so that the lock holds behind a connection pooler. The server notices a
-- lost machine after 90 seconds. `lock_timeout` waits for the server to notice a client that was just killed.
select set_config(name, value, true)
from (
    values
    ('lock_timeout', '1s'), ('idle_in_transaction_session_timeout', '0'), ('transaction_timeout', '0'),
    ('tcp_keepalives_idle', '60'), ('tcp_keepalives_interval', '10'), ('tcp_keepalives_count', '3')
) as wanted (name, value)
where name in (select name from pg_settings)
