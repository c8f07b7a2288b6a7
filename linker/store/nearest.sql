-- What lies nearest to a vector, among all of a kind or what lies near by its code.
select document_key, 1 - (embedding <=> %(vector)b::vector) as score
from (
    select document_key, embedding
    from {vectors}
    where {among} and document_key <> all(%(excluded)s::bigint[])
    order by embedding <=> %(vector)b::vector
    limit %(limit)s
) as nearest
