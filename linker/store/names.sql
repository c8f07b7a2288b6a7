-- The names of documents, and the numbers of their tables.
select document_key, table_key, schema_name, table_name, column_path from {} where document_key = any(%s::bigint[])
