-- Makes the server notice killed clients while a statement runs; until then their locks block the next run.
-- Since PostgreSQL 14: https://www.postgresql.org/docs/current/runtime-config-connection.html
select set_config(name, '1s', true) from pg_settings where name = 'client_connection_check_interval'
