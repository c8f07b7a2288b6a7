-- What a collection was made from, packed by the process that wrote it. Written in the transaction that settles the
-- collection: where that is settled, its documents and this agree.
create table linker.snapshots (
    collection_id integer primary key references linker.collections on delete cascade,
    digest text not null,
    packed bytea not null
);
-- It comes compressed.
alter table linker.snapshots alter column packed set storage external;
