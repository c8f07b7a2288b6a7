-- What lies nearest to a vector, among all of a kind.
select document_key, 1 - (embedding <=> %(vector)b::vector) as score
from (
    select document_key, embedding
    from {vectors}
    where is_table = {is_table} and document_key <> all(%(excluded)s::bigint[])
    order by embedding <=> %(vector)b::vector
    limit %(limit)s
) as nearest
