-- Of a client that was killed the server learns when it answers; until then the next run would wait for it.
-- https://www.postgresql.org/docs/current/runtime-config-connection.html: since version 14, so it is asked for.
select set_config(name, '1s', true) from pg_settings where name = 'client_connection_check_interval'
