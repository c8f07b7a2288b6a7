-- The manifest of a collection with its age and usage statistics, in one round trip.
-- The age is a number, since a timestamp needs a time zone.
with learned as (
    select prior_uses.source, prior_uses.digest, prior_uses.packed
    from linker.prior_uses
    inner join linker.collections on prior_uses.target = collections.target
    where collections.collection_id = %(id)s
)
select
    snapshots.digest, collections.is_settled,
    case when snapshots.digest <> %(held)s then snapshots.packed end,
    (
        select extract(epoch from runs.ended_at)::float8
        from linker.runs
        where runs.target = collections.target
            and runs.outcome = any(%(ended_well)s)
            and (runs.kind = 'refresh' or json_array_length(runs.told -> 'dbt_runs') > 0)
            and coalesce(runs.told ->> 'selection', '') = ''
        order by runs.number desc
        limit 1
    ),
    (select string_agg(learned.source || ' ' || learned.digest, ' ' order by learned.source) from learned),
    case
        when snapshots.digest <> %(held)s
            then (select array_agg(learned.packed order by learned.source) from learned)
    end
from linker.snapshots
inner join linker.collections on snapshots.collection_id = collections.collection_id
where snapshots.collection_id = %(id)s
