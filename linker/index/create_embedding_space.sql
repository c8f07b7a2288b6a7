-- Inserts the embedding space of a model, or returns one that another process inserted.
insert into linker.spaces (model, dimension) values (%s, %s)
on conflict (model) do update set dimension = excluded.dimension
returning space_id
