-- A collection is one target under one model. It has partitions of its own, so that no search sees the rows of another,
-- its statistics are its own, and it goes as it came.
create table linker.collections (
    collection_id integer generated always as identity primary key,
    space_id integer not null references linker.spaces on delete cascade,
    target text not null,
    document_count bigint not null default 0,
    is_settled boolean not null default false,
    unique (space_id, target)
);

alter table linker.documents rename to documents_before;
alter index linker.documents_pkey rename to documents_before_pkey;

-- One row a column, and one a table (without a path). The keys are digests of the names, which the client knows too:
-- exclusion lists of any size travel as numbers. Vectors and words lie apart: names are read for every hit, and a page
-- holds fifty of them, or five vectors.
create table linker.documents (
    collection_id integer not null,
    document_key bigint not null,
    table_key bigint not null,
    schema_name text not null,
    table_name text not null,
    column_path text,
    content_hash text not null,
    primary key (document_key, collection_id)
) partition by list (collection_id);

create table linker.vectors (
    collection_id integer not null,
    document_key bigint not null,
    table_key bigint not null,
    is_table boolean not null,
    embedding vector not null,
    primary key (document_key, collection_id)
) partition by list (collection_id);
create index vectors_by_table on linker.vectors (table_key);

create table linker.wordings (
    collection_id integer not null,
    document_key bigint not null,
    table_key bigint not null,
    is_table boolean not null,
    words tsvector not null,
    primary key (document_key, collection_id)
) partition by list (collection_id);
create index wordings_by_table on linker.wordings (table_key);

-- Representative values: each text once, with the n-grams by which it is found, and the columns that hold it.
-- Texts that differ in case, accents or blanks alone are one; the key is a digest of how they read.
create table linker.value_texts (
    collection_id integer not null,
    value_key bigint not null,
    grams integer[] not null,
    primary key (value_key, collection_id)
) partition by list (collection_id);

create table linker.value_places (
    collection_id integer not null,
    value_key bigint not null,
    document_key bigint not null,
    shown text not null,
    primary key (value_key, document_key, collection_id)
) partition by list (collection_id);
create index value_places_by_document on linker.value_places (document_key);

-- In how many documents a word stands: the rarer, the more it says.
create table linker.lexemes (
    collection_id integer not null,
    lexeme text not null,
    document_count bigint not null,
    primary key (lexeme, collection_id)
) partition by list (collection_id);

create function linker.parts() returns text[] language sql immutable as $$
    select array['documents', 'vectors', 'wordings', 'value_texts', 'value_places', 'lexemes']
$$;

create function linker.create_collection(of_space integer, of_target text) returns integer language plpgsql as $$
declare
    id integer;
    part text;
begin
    insert into linker.collections (space_id, target) values (of_space, of_target) returning collection_id into id;
    foreach part in array linker.parts() loop
        execute format('create table linker.%I partition of linker.%I for values in (%s)', part || '_' || id, part, id);
    end loop;
    -- What lies in these is found by indexes that need no statistics, and gathering them takes seconds.
    execute format('alter table linker.%I alter column embedding set statistics 0', 'vectors_' || id);
    execute format('alter table linker.%I alter column words set statistics 0', 'wordings_' || id);
    execute format('alter table linker.%I alter column grams set statistics 0', 'value_texts_' || id);
    -- Long vectors too stay in their rows, as far as a page holds them.
    execute format('alter table linker.%I set (toast_tuple_target = 8160)', 'vectors_' || id);
    return id;
end $$;

create function linker.drop_collection(id integer) returns void language plpgsql as $$
declare
    part text;
begin
    foreach part in array linker.parts() loop
        execute format('drop table linker.%I', part || '_' || id);
    end loop;
    delete from linker.collections where collection_id = id;
end $$;

-- The same digest as linker.store.places makes.
create function linker.key_of(kind text, schema_name text, table_name text, column_path text) returns bigint
language sql immutable as $$
    select ('x' || encode(substring(sha256(convert_to(
        kind || length(schema_name) || ':' || schema_name || length(table_name) || ':' || table_name || column_path, 'UTF8'
    )) from 1 for 8), 'hex'))::bit(64)::bigint
$$;

do $$
declare
    old record;
    id integer;
begin
    for old in select distinct space_id, target from linker.documents_before loop
        id := linker.create_collection(old.space_id, old.target);
        insert into linker.documents
        select
            id, linker.key_of('column', schema_name, table_name, column_path),
            linker.key_of('table', schema_name, table_name, ''), schema_name, table_name, column_path, content_hash
        from linker.documents_before
        where space_id = old.space_id and target = old.target;
        insert into linker.vectors
        select
            id, linker.key_of('column', schema_name, table_name, column_path),
            linker.key_of('table', schema_name, table_name, ''), false, embedding
        from linker.documents_before
        where space_id = old.space_id and target = old.target;
        insert into linker.wordings
        select
            id, linker.key_of('column', schema_name, table_name, column_path),
            linker.key_of('table', schema_name, table_name, ''), false, to_tsvector('simple', document)
        from linker.documents_before
        where space_id = old.space_id and target = old.target;
    end loop;
end $$;

drop table linker.documents_before;
