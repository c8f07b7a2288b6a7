-- Cached vectors of texts by digest.
select digest, embedding
from linker.remembered
inner join linker.spaces using (space_id)
where model = %s and digest = any(%s)
