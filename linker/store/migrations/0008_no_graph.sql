-- Codes and whole vectors are compared; a graph that an earlier version built would only slow writers down.
do $$
declare
    graph text;
begin
    for graph in
        select indexname from pg_indexes
        where schemaname = 'linker' and indexname ~ '^vectors_[0-9]+_nearest(_tables)?$'
    loop
        execute format('drop index linker.%I', graph);
    end loop;
    -- Until it is settled anew, which makes its codes, all vectors of such a collection are compared.
    update linker.collections set is_settled = false where document_count >= 300000;
end $$;
