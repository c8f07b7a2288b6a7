-- The latest runs that found a change, newest first.
select number
from linker.runs
where target = %(target)s
    and number in (
        select from_run from linker.table_states where target = %(target)s
        union
        select until_run from linker.table_states where target = %(target)s
    )
order by number desc
limit %(limit)s
