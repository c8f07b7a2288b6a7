-- The space of a model, of which another process may have made one meanwhile.
insert into linker.spaces (model, dimension) values (%s, %s)
on conflict (model) do update set dimension = excluded.dimension
returning space_id
