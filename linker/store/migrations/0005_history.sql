-- What the runs of each target did. What is asked for by people alone lies in `told`, as the client wrote it.
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

-- What tables were like at the end of run `from_run` and of those after it, before `until_run`: a run that changed
-- nothing adds nothing here. The digest tells two states apart, which no one needs to unpack for that.
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
-- It comes compressed.
alter table linker.table_states alter column packed set storage external;
