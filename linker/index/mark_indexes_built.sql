-- Marks that the search indexes of a collection are built.
update linker.collections set is_settled = true, document_count = %s where collection_id = %s
