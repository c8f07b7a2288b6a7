-- What makes searches of a collection fast is there.
update linker.collections set is_settled = true, document_count = %s where collection_id = %s
