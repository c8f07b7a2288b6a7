-- Columns that are known to lie nearest to a vector; tables that do so nobody needs to be told of.
select document_key, 0::float8 as score
from unnest(%(near)s::bigint[]) as near (document_key)
where not {is_table}
