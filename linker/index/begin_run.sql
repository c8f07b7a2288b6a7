-- Inserts a run with the next number of its target.
insert into linker.runs (target, number, kind, outcome, started_at, told)
select %(target)s, coalesce(max(number), 0) + 1, %(kind)s, 'running', clock_timestamp(), '{}'
from linker.runs
where target = %(target)s
returning number
