-- Inserts staged vectors of documents that have none yet.
insert into {vectors} (collection_id, document_key, is_table, embedding)
select collection_id, document_key, column_path is null, embedding::halfvec
from {staged} as staged
inner join {documents} using (collection_id, document_key, content_hash)
where not exists (select from {vectors} as there where there.document_key = staged.document_key)
