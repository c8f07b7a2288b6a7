-- A state of a table, from the run on that found it.
insert into linker.table_states (target, schema_name, table_name, from_run, digest, packed)
values (%s, %s, %s, %s, %s, %s)
