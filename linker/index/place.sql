-- The place of a collection that was written to before.
select collection_id, dimension
from linker.collections
inner join linker.spaces using (space_id)
where model = %s and target = %s
