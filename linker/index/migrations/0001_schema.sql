create extension if not exists vector;

-- One space per embedding model, since vectors of different models are not comparable.
create table linker.spaces (
    space_id integer generated always as identity primary key,
    model text not null unique,
    dimension integer not null
);

-- Cached vectors of questions and passages, by the digest of the text, numbered by age.
create table linker.remembered (
    space_id integer not null references linker.spaces on delete cascade,
    digest text not null,
    embedding vector not null,
    number bigint generated always as identity unique,
    primary key (space_id, digest)
);

-- A collection is one target under one model. It has separate partitions, so that searches see only its rows, statistics
-- are separate, and it is dropped as a whole.
create table linker.collections (
    collection_id integer generated always as identity primary key,
    space_id integer not null references linker.spaces on delete cascade,
    target text not null,
    document_count bigint not null default 0,
    is_settled boolean not null default false,
    unique (space_id, target)
);

-- One row per column, and one per table (without a path). Keys are digests of names, which the client computes too, so
-- exclusion lists of any size are numbers. Vectors and words are separate: names are read for every hit, and a page
-- has fifty names or nine vectors.
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

-- Columns and tables are separate, since a search scans each. Half precision halves the bytes read.
create table linker.vectors (
    collection_id integer not null,
    document_key bigint not null,
    is_table boolean not null,
    embedding halfvec not null,
    primary key (document_key, is_table, collection_id)
) partition by list (collection_id);

create table linker.wordings (
    collection_id integer not null,
    document_key bigint not null,
    is_table boolean not null,
    words tsvector not null,
    primary key (document_key, collection_id)
) partition by list (collection_id);

-- Representative values: each text once, with its n-grams for search, and the columns that contain it.
-- Texts that differ in case, accents or spaces only are one; the key is a digest of the normalised text.
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

-- Document frequency of words.
create table linker.lexemes (
    collection_id integer not null,
    lexeme text not null,
    document_count bigint not null,
    primary key (lexeme, collection_id)
) partition by list (collection_id);

-- Staged vectors of documents, in batches as the encoder produces them; no search reads them. One transaction publishes
-- them with everything else; until then readers see the previous state.
create table linker.staged (
    collection_id integer not null,
    document_key bigint not null,
    content_hash text not null,
    embedding vector not null,
    primary key (document_key, content_hash, collection_id)
) partition by list (collection_id);

create function linker.parts() returns text[] language sql immutable as $$
    select array['documents', 'vectors', 'wordings', 'value_texts', 'value_places', 'lexemes', 'staged']
$$;

create function linker.create_collection(of_space integer, of_target text) returns integer language plpgsql as $$
declare
    id integer;
    part text;
begin
    insert into linker.collections (space_id, target) values (of_space, of_target) returning collection_id into id;
    foreach part in array linker.parts() loop
        execute format(
            'create table linker.%I partition of linker.%I for values in (%s) %s',
            part || '_' || id, part, id, case when part = 'vectors' then 'partition by list (is_table)' end
        );
    end loop;
    foreach part in array array['column_vectors', 'table_vectors'] loop
        execute format(
            'create table linker.%I partition of linker.%I for values in (%L)',
            part || '_' || id, 'vectors_' || id, part = 'table_vectors'
        );
        -- No search needs statistics of vectors, and collecting them takes seconds. Long vectors stay in their rows, as
        -- far as a page allows.
        execute format('alter table linker.%I alter column embedding set statistics 0', part || '_' || id);
        execute format('alter table linker.%I set (toast_tuple_target = 8160)', part || '_' || id);
    end loop;
    execute format('alter table linker.%I alter column words set statistics 0', 'wordings_' || id);
    execute format('alter table linker.%I alter column grams set statistics 0', 'value_texts_' || id);
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

-- Manifest and catalog snapshot of a collection, serialised by its writer. Written in the publishing transaction, so it
-- always matches the documents.
create table linker.snapshots (
    collection_id integer primary key references linker.collections on delete cascade,
    digest text not null,
    packed bytea not null
);
-- Already compressed.
alter table linker.snapshots alter column packed set storage external;

-- Run history of each target. `told` has details for display, serialised by the client.
create table linker.runs (
    target text not null,
    number integer not null,
    kind text not null,
    outcome text not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    told json not null,
    primary key (target, number)
);

-- Table states from the end of run `from_run` until before `until_run`; a run without changes adds no rows. The digest
-- distinguishes states without unpacking them.
create table linker.table_states (
    target text not null,
    schema_name text not null,
    table_name text not null,
    from_run integer not null,
    until_run integer,
    digest text not null,
    packed bytea not null,
    primary key (target, schema_name, table_name, from_run)
);
create unique index table_states_of_now on linker.table_states (target, schema_name, table_name) where until_run is null;
alter table linker.table_states alter column packed set storage external;

-- Usage by source, serialised by the process that ingested it: names and counts, never a text or a value of a query.
-- `told` has statistics of its statements, serialised by the client.
create table linker.prior_uses (
    target text not null,
    source text not null,
    learned_at timestamptz not null,
    told json not null,
    digest text not null,
    packed bytea not null,
    primary key (target, source)
);
alter table linker.prior_uses alter column packed set storage external;
