-- The latest runs, newest first.
select number, kind, outcome, started_at, ended_at, told
from linker.runs
where target = %(target)s
order by number desc
limit %(limit)s
