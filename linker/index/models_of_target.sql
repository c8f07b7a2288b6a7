-- The models under which a target is indexed.
select model
from linker.collections
inner join linker.spaces using (space_id)
where target = %s and document_count > 0
order by model collate "C"
