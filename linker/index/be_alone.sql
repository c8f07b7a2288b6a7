-- The settings of the transaction that holds the lock of a run.
-- It is left open, so the lock holds behind a pooler as well, where a session goes from hand to hand. It stays for as long
-- as the run takes; a machine that is gone is noticed after a minute and a half. One that was killed just now frees it as
-- soon as the server looks at its connection: that much is waited.
select set_config(name, value, true)
from (
    values
    ('lock_timeout', '1s'), ('idle_in_transaction_session_timeout', '0'), ('transaction_timeout', '0'),
    ('tcp_keepalives_idle', '60'), ('tcp_keepalives_interval', '10'), ('tcp_keepalives_count', '3')
) as wanted (name, value)
where name in (select name from pg_settings)
