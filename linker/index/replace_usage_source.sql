-- Inserts or replaces the usage statistics of a source.
insert into linker.prior_uses (target, source, learned_at, told, digest, packed)
values (%s, %s, clock_timestamp(), %s, %s, %s)
on conflict (target, source) do update set
    learned_at = excluded.learned_at, told = excluded.told, digest = excluded.digest, packed = excluded.packed
