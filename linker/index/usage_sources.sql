-- Usage sources of a target by name.
select source, learned_at, told, packed
from linker.prior_uses
where target = %s
order by source collate "C"
