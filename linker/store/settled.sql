-- What makes searches of a collection fast is there; what was read of it before is of another version.
update linker.collections
set is_settled = true, is_coded = %s, document_count = %s, version = default
where collection_id = %s
