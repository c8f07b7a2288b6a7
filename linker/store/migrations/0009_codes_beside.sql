-- Who compares codes makes them from the vectors, and keeps both in a file beside the store.
drop table linker.codes;
drop function linker.write_codes(integer);
drop function linker.code_of(vector);

create or replace function linker.parts() returns text[] language sql immutable as $$
    select array['documents', 'vectors', 'wordings', 'value_texts', 'value_places', 'lexemes', 'staged']
$$;

-- The files are named by the version. It is the only one of its number in any database and any backup: whatever else
-- lies beside a store, no file of another state is taken for that of this one.
alter table linker.collections alter column version set default hashtextextended(gen_random_uuid()::text, 0);
update linker.collections set version = default;
