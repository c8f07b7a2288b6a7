-- What lies nearest to a vector, where all vectors are compared.
select document_key, 1 - (embedding <=> %(vector)b::vector) as score
from (
    select document_key, embedding
    from {vectors}
    where {kind} {scope}
    order by embedding <=> %(vector)b::vector
    limit %(limit)s
) as nearest
