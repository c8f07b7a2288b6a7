-- The sources that a target was learned from, by their names.
select source, learned_at, told, packed
from linker.prior_uses
where target = %s
order by source collate "C"
