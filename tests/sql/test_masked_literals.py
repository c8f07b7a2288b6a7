"""Which statements over tables with private columns may be shown, by their literals."""

import pytest

from linker.errors import GuardError
from linker.sql_policy.guard import Guard, Probe
from linker.sql_policy.visible_tables import KnownTable, KnownTables
from linker.types import TableRef

DIALECTS = ("duckdb", "postgres", "snowflake", "bigquery", "spark", "databricks")
# Columns in the order that the column lists below count on.
PEOPLE = "id:show name:show phone:mask mobile:mask pin:hide city:show born:show paid:show"
CALLS = "id:show people_id:show kind:show at:show"


def probe(sql: str, dialect: str = "duckdb") -> Probe:
    tables = []
    for name, columns in (("people", PEOPLE), ("calls", CALLS)):
        privacy = dict(column.split(":") for column in columns.split())
        tables.append(KnownTable(TableRef("crm", name), (name,), privacy))
    return Guard(KnownTables(dialect, tuple(tables), "home", "crm")).check(sql)


SHOWN = (
    "select phone from people",
    "select * from people where city = 'Oslo'",
    "select phone, count(*) from people where city = 'Oslo' and id > 3 group by 1 limit 10",
    "select phone from people where born >= date '2020-01-01' and city in ('Oslo', 'Rome')",
    "select phone from people where born > current_date - interval '30' day and name like 'A%'",
    "select count(phone), sum(paid) / 1000000 from people having count(phone) > 12345",
    "select sum(case when city = 'Oslo' then 1 else 0 end) as oslo from people",
    "select p.phone from people as p join calls as c on c.people_id = p.id where c.kind like 'o%'",
    "select coalesce(city, 'unknown') as city, count(distinct id) from people group by 1",
    # Nothing of it is private.
    "select case when kind = 'in' then 'incoming' else 'outgoing' end, 'a label' from calls",
)
SHOWN_IN_DUCKDB = (
    "select date_trunc('month', born), sum(paid) / 100, strftime(born, '%Y') from people group by all",
    "select string_agg(distinct name, ', '), lag(city, 1, 'none') over (order by id) from people group by all",
)
COMPARED = (
    "select 1 from people where phone = '555'",
    "select 1 from people where phone = 555",
    "select 1 from people where phone <> '555'",
    "select 1 from people where phone in ('555', '666')",
    "select 1 from people where phone not in ('555')",
    "select 1 from people where '555' = phone",
    "select 1 from people where '555' in (select phone from people)",
    "select '555' = (select phone from people limit 1)",
    "select 1 from people where ((phone)) = '555' or city = 'Oslo'",
    "select case when phone = '555' then 1 end from people",
    "select 1 from people order by phone = '555'",
    "select phone from people group by phone having phone = '555'",
    "select 1 from calls where exists (select 1 from people where phone = '555')",
    "select 1 from calls as c where exists (select 1 from people as p where p.id = c.people_id and p.phone = '555')",
    "select name as phone from people where mobile = '555'",
    # Through other names.
    "with t as (select phone as who from people) select 1 from t where who = '555'",
    "with t as (select phone as city from people) select 1 from t where city = '555'",
    "with t as (select * from people), u as (select * from t) select 1 from u where phone = '555'",
    "select 1 from (select phone as a from people union all select city from people) as u where a = '555'",
    "select 1 from (select kind as a from calls union all select phone from people) as u where a = '555'",
    "select 1 from (select x.b from (select p.phone as b from people as p) as x) as y where y.b = '555'",
    "select 1 from calls as c join (select id, phone as kind from people) as p on c.id = p.id where p.kind = '555'",
    "select 1 from calls left join people on people_id = people.id and phone = '555'",
)
COMPARED_IN_DUCKDB = (
    "with t(i, n, m) as (select * from people) select n from t where m = '555'",
    "select count(*) from (select * from people) as t(i, n, m) where m = '555'",
    "select n from people as t(i, n, m) where m = '555'",
    "select n from (select name as n, * from people) as t(n, i, o, m) where m = '555'",
    'select 1 from (select phone as "E" from people) where "e" = \'555\'',
    "select 1 from people as p, lateral (select p.phone) as x(e) where e = '555'",
    "select 1 from (select people as s from people) where s.phone = '555'",
    "select 1 from people join calls using (id) where phone = '555'",
    "select 1 from (select kind as a from calls union all by name select phone as a from people) where a = '555'",
    "with recursive t(e, k) as (select phone, 1 from people union all select e, k + 1 from t where k < 3) select 1 from t where e = '555'",
    "select phone as e from people where e = '555'",
    "select phone = any (array['555']) from people",
    "select phone is not distinct from '555' from people",
    "select count(*) filter (where phone = '555') from people",
    "select 1 from people qualify row_number() over (order by id) = 1 and phone = '555'",
    "from people where phone = '555'",
    "select * from people pivot (count(*) for phone in ('555'))",
    "pivot people on phone in ('555') using count(*)",
    "select people = 'x' from people",
)
UNRELATED = (
    "select phone, '555' from people",
    "select '555' as phone, city from people",
    "select city from people union all select '555'",
    "select case id when 1 then '555' end from people",
    "select case when city = 'Oslo' then '555' else name end from people",
    "select 1 from people join (select 1 as id, '555' as p) as v on people.id = v.id",
    "select id, 15551234567 from people",
    "select 1 from people where '555' = '555' and city = 'Oslo'",
    "select concat(city, name) from people order by name, concat('555', '')",
    "select concat('555', '') from people where city = 'Oslo'",
    "select coalesce(case when id = 1 then city end, '555') from people",
    "select 1 from people where city in (select '555')",
    "with t as (select '555' as x) select x from t cross join people",
)
UNRELATED_IN_DUCKDB = (
    "select 1 from people join (values (1, '555')) as v(id, p) using (id)",
    "select if(id = 1, '555', 'x') from people",
    "select ['555', '666'][id] from people",
    "select list_extract(['555', '666'], id) from people",
    "select map([1], ['555'])[id] from people",
    "select map {1: '555'}[id] from people",
    "select {'phone': '555', 'id': id} from people",
    "select json_object('id', id, 'phone', '555') from people",
    "select max_by('555', id) from people",
    "select * replace ('555' as phone) from people",
    "select 1 from people, unnest(['555', '666']) as u(p)",
    "select string_split('555,666', ',') from people",
    "select e'555' from people",
    "select $$555$$ from people",
    "from (values ('555')) as v(p) union all select phone from people",
    # A hidden column's values are nobody's either.
    "select pin from (select id, '4711' as pin from people)",
)
UNRELATED_ELSEWHERE = {
    "postgres": (
        "select ('{555,666}'::text[])[id] from people",
        "select u&'555' from people",
        "select n'555' from people",
        "explain select '555' from people",
    ),
    "snowflake": (
        "select decode(id, 1, '555', 'a') from people",
        "select object_construct('p', '555', 'i', id) from people",
        "select x'3535' from people",
        "select 1 from people, lateral flatten(input => array_construct('555')) as f",
    ),
    "bigquery": (
        "select r'555' from people",
        "select struct('555' as p, id) from people",
        'select 1 from `crm.people` as p where p.phone = "555"',
        "from people |> where phone = '555' |> select name",
    ),
    "spark": ("select elt(id, '555', '666') from people", "select stack(1, '555', id) from people"),
}
REFUSED = (
    "select 1 from people where phone in (select '555')",
    "select 1 from people where phone in (values ('555'))",
    "select 1 from people where exists (select 1 from (select '555' as x) as y where x = phone)",
    "select 1 from people where upper(phone) like '55%'",
    "select 1 from people where phone between '5' and '6'",
    "select case phone when '555' then 1 end from people",
    "select starts_with(phone, '555') from people",
    "select nullif(phone, '555') from people",
    "select 1 from people where pin = '4711'",
    "select 1 from people join (select '555' as phone) as v using (phone)",
)


@pytest.mark.parametrize("sql", SHOWN)
def test_a_literal_of_another_column_is_shown(sql: str) -> None:
    for dialect in DIALECTS:
        assert not probe(sql, dialect).has_private_literal, dialect


@pytest.mark.parametrize("sql", [*COMPARED, *UNRELATED])
def test_a_literal_that_may_be_a_private_value_is_private(sql: str) -> None:
    for dialect in DIALECTS:
        assert probe(sql, dialect).has_private_literal, dialect


@pytest.mark.parametrize("sql", SHOWN_IN_DUCKDB)
def test_a_literal_of_another_column_is_shown_in_duckdb(sql: str) -> None:
    assert not probe(sql).has_private_literal


@pytest.mark.parametrize("sql", [*COMPARED_IN_DUCKDB, *UNRELATED_IN_DUCKDB])
def test_a_literal_that_may_be_a_private_value_is_private_in_duckdb(sql: str) -> None:
    assert probe(sql).has_private_literal


@pytest.mark.parametrize("dialect", UNRELATED_ELSEWHERE)
def test_a_literal_that_may_be_a_private_value_is_private_in_other_syntax(dialect: str) -> None:
    for sql in UNRELATED_ELSEWHERE[dialect]:
        assert probe(sql, dialect).has_private_literal, sql


@pytest.mark.parametrize("sql", REFUSED)
def test_a_statement_that_uses_a_masked_column_otherwise_is_refused(sql: str) -> None:
    with pytest.raises(GuardError):
        probe(sql)


def test_masked_columns_of_a_probe_are_those_that_it_uses_under_any_name() -> None:
    used = {
        "select name from people": [],
        "select count(*) from (select * from people) as p": [],
        "select phone from people": ["phone"],
        "select * from people": ["phone", "mobile"],
        "select m from (select * from people) as t(i, n, m)": ["phone"],
        "select count(distinct phone) from people": ["phone"],
        "select name from people where mobile is null": ["mobile"],
        "select to_json(people) from people": ["phone", "mobile"],
        "select max(columns('mo.*')) from people": ["mobile"],
        "summarize people": ["phone", "mobile"],
        "summarize select mobile from people": ["mobile"],
        "select * from (pivot people on city using count(*))": ["phone", "mobile"],
    }
    for sql, columns in used.items():
        assert {ref.path for ref in probe(sql).masked} == set(columns), sql
