create extension if not exists vector;

-- One space per embedding model: vectors of two models are never compared.
create table linker.spaces (
    space_id integer generated always as identity primary key,
    model text not null unique,
    dimension integer not null
);

-- One row per column of a target. The vector has no fixed length, because models differ;
-- each space has its own partial HNSW index with its own length.
create table linker.documents (
    space_id integer not null references linker.spaces on delete cascade,
    target text not null,
    schema_name text not null,
    table_name text not null,
    column_path text not null,
    content_hash text not null,
    document text not null,
    embedding vector not null,
    primary key (space_id, target, schema_name, table_name, column_path)
);

-- Vectors of texts that were embedded before, by the digest of the text.
create table linker.remembered (
    space_id integer not null references linker.spaces on delete cascade,
    digest text not null,
    embedding vector not null,
    primary key (space_id, digest)
);
