-- The id of an existing collection.
select collection_id, dimension
from linker.collections
inner join linker.spaces using (space_id)
where model = %s and target = %s
