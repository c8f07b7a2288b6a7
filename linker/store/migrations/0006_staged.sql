-- Vectors of documents that are not in the collection yet, batch by batch as an encoder makes them; no search reads
-- them. One transaction makes them the collection, with everything else: until then readers see the state of before.
create table linker.staged (
    collection_id integer not null,
    document_key bigint not null,
    content_hash text not null,
    embedding vector not null,
    primary key (document_key, content_hash, collection_id)
) partition by list (collection_id);

create or replace function linker.parts() returns text[] language sql immutable as $$
    select array['documents', 'vectors', 'wordings', 'value_texts', 'value_places', 'lexemes', 'codes', 'staged']
$$;

do $$
declare
    id integer;
begin
    for id in select collection_id from linker.collections loop
        execute format('create table linker.%I partition of linker.staged for values in (%s)', 'staged_' || id, id);
    end loop;
end $$;

-- Which state it is: what a session knows of a place is that of one state.
alter table linker.collections add column version bigint not null default 0;

-- Whether a collection is settled tells from now on only whether its indexes are there. What a killed run of before left
-- is a mix of old and new: it has no codes, and is not what its snapshot tells of.
update linker.collections set is_coded = false where not is_settled;
delete from linker.snapshots using linker.collections as unsettled
where unsettled.collection_id = snapshots.collection_id and not unsettled.is_settled;

-- Deleted, not truncated: a truncated table is empty for those who still look at the state of before, and they wait for
-- the whole transaction.
create or replace function linker.write_codes(id integer) returns void language plpgsql as $$
begin
    execute format('delete from linker.%I', 'codes_' || id);
    execute format(
        'insert into linker.%I
        select
            %s, is_table, block,
            %s, %s
        from (
            select is_table, document_key, code, (number / 8)::integer as block, number %% 8 as place
            from (
                select
                    is_table, document_key, linker.code_of(embedding) as code,
                    row_number() over (partition by is_table order by document_key) - 1 as number
                from linker.%I
            ) as numbered
        ) as placed
        group by is_table, block',
        'codes_' || id, id,
        (select string_agg(format('max(document_key) filter (where place = %s)', place), ', ') from generate_series(0, 7) as place),
        (select string_agg(format('(array_agg(code) filter (where place = %s))[1]', place), ', ') from generate_series(0, 7) as place),
        'vectors_' || id
    );
end $$;
