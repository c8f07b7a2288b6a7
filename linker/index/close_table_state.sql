-- Ends table states that a run found changed or gone.
update linker.table_states set until_run = %s
where target = %s and schema_name = %s and table_name = %s and until_run is null
