-- What queries that people ran use, source by source, packed by the process that learned it: names and counts, never a
-- text or a value of a query. `told` says what became of its statements, as the client wrote it.
create table linker.prior_uses (
    target text not null,
    source text not null,
    learned_at timestamptz not null,
    told json not null,
    digest text not null,
    packed bytea not null,
    primary key (target, source)
);
-- It comes compressed.
alter table linker.prior_uses alter column packed set storage external;
