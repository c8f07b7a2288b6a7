-- Inserts a table state, valid from the run that found it.
insert into linker.table_states (target, schema_name, table_name, from_run, digest, packed)
values (%s, %s, %s, %s, %s, %s)
