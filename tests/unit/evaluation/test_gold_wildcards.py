"""Gold of families and wildcard tables."""

import pytest

from linker.evaluation.preparing import MergedDatabase, from_catalog
from linker.evaluation.scoring import derive_gold
from linker.types import Catalog, Columns, Family, Table, TableRef
from tests.gold_databases import database, gold, gold_tables, problems, table

# The columns changed between two days, so that the shards are two families.
OLD = table(
    "web.events_2018", "user", "name", "old", members=("events_20180101", "events_20180102")
)
NEW = table("web.events_*", "user", "name", "new", members=("events_20180103", "events_20180201"))
WEB = database(
    "bigquery", OLD, NEW, table("web.users", "id", "name"), table("shop.events_20180101", "id")
)
BOTH = "events_*.user | events_2018.user"


def test_a_member_stands_for_its_family() -> None:
    assert gold("select user from web.events_20180102", WEB) == {"events_2018.user"}
    assert gold_tables("select user from web.events_20180102", WEB) == {"events_2018"}


def test_a_wildcard_over_several_families_gives_alternatives() -> None:
    assert gold("select user from `project.web.events_*`", WEB) == {BOTH}
    assert gold_tables("select user from `project.web.events_*`", WEB) == {"events_* | events_2018"}


def test_a_column_that_only_one_family_has_has_no_alternative() -> None:
    assert gold("select user, new from `web.events_*`", WEB) == {BOTH, "events_*.new"}


def test_a_prefix_chooses_among_the_families() -> None:
    assert gold("select user from `web.events_201802*`", WEB) == {"events_*.user"}


def test_a_wildcard_stays_in_its_schema() -> None:
    assert gold("select id from `shop.events_*`", WEB) == {"events_20180101.id"}


@pytest.mark.parametrize(
    "condition",
    [
        "_table_suffix = '20180101'",
        "_TABLE_SUFFIX between '20180101' and '20180102'",
        "e._table_suffix < '20180103' and name = 'x'",
        "_table_suffix in ('20180101', '20180102')",
        "_table_suffix like '2018010_' and _table_suffix <> '20180103'",
        "not _table_suffix >= '20180103'",
        "('20180102' >= _table_suffix or _table_suffix = '20170101')",
        "regexp_contains(_table_suffix, r'0[12]$') and substr(_table_suffix, 5, 2) = '01'",
        "starts_with(_table_suffix, '2018010') and _table_suffix <> '20180103'",
        "concat('x', _table_suffix) < 'x20180103'",
        "cast(_table_suffix as int64) < 20180103",
        "parse_date('%Y%m%d', _table_suffix) <= date '2018-01-02'",
        "_table_suffix <= format_date('%Y%m%d', date('2018-01-02'))",
        "_table_suffix <= format_date('%Y%m%d', date_sub(date '2018-01-04', interval 2 day))",
    ],
)
def test_constant_conditions_on_the_suffix_choose_among_the_families(condition: str) -> None:
    assert "events_2018.user" in gold(f"select user from `web.events_*` e where {condition}", WEB)


@pytest.mark.parametrize(
    "condition",
    [
        "name = '20180101'",
        "_table_suffix = name",
        "_table_suffix > format_date('%Y%m%d', current_date())",
        "_table_suffix = '20180101' or name = 'x'",
        "parse_date('%Y%m%d', _table_suffix) > (select date '2018-01-02')",
        "other._table_suffix = '180101'",
        "cast(concat('x', e._table_suffix) as int64) < 20180103",
        "regexp_contains(e._table_suffix, r'(')",
        "e._table_suffix in (select name from web.users)",
    ],
)
def test_conditions_that_are_not_constant_choose_nothing(condition: str) -> None:
    sql = f"select e.user from `web.events_*` e, `web.events_20*` other where {condition}"
    assert BOTH in gold(sql, WEB)


def test_the_same_wildcard_may_be_read_for_different_days() -> None:
    sql = """
        select count(a.user), count(b.name)
        from (select user from `web.events_*` where _table_suffix < '20180103') a,
             (select name from `web.events_*` where _table_suffix > '20180102') b
    """
    assert gold(sql, WEB) == {"events_2018.user", "events_*.name"}


def test_variables_of_a_script_are_constants() -> None:
    script = """
        declare first, last string default '20180101';
        select user from `web.events_*` where _table_suffix between first and last
    """
    assert gold(script, WEB) == {"events_2018.user"}


def test_a_variable_that_is_set_later_is_no_constant() -> None:
    script = """
        declare day string default '20180101';
        set day = '20180201';
        select user from `web.events_*` where _table_suffix = day
    """
    assert gold(script, WEB) == {BOTH}


def test_conditions_that_no_table_passes_are_a_problem() -> None:
    sql = "select user from `web.events_*` where _table_suffix = '20990101'"
    assert problems(sql, WEB) == ("no table passes the conditions on web.events_*",)


def test_a_shard_that_the_catalogue_lacks_counts_as_its_family() -> None:
    assert gold("select id from hub.month._201702", _months("id", "id")) == {"_2017*.id"}


def test_a_shard_that_the_catalogue_lacks_between_two_families_may_be_of_either() -> None:
    where = database(
        "snowflake",
        table("hub._2016", "id", members=("_201601", "_201602")),
        table("hub._2017", "id", "more", members=("_201701", "_201703")),
    )
    assert gold("select id from hub._201702", where) == {"_2016.id | _2017.id"}


def _months(*columns: str) -> MergedDatabase:
    return database(
        "snowflake", table("month._2017*", *columns[:1], members=("_201701", "_201703"))
    )


def test_a_name_in_two_schemas_is_a_problem_where_no_schema_is_written() -> None:
    where = database("snowflake", table("a.t", "x"), table("b.t", "x"))
    assert problems("select x from t", where) == ("table t may be any of a.t, b.t",)
    assert gold("select x from db.b.t", where) == {"t.x"}


def test_qualifiers_are_compared_from_the_right() -> None:
    ref = TableRef("project.set", "t")
    family = Family("date", "t", "t", ("t",), "t")
    known = Table(ref, "table", None, None, Columns(table("t", "x").columns), family)
    where = from_catalog("test", "bigquery", Catalog((known,), 1))
    for name in (
        "t",
        "set.t",
        "project.set.t",
        "`project.set.t`",
        "`project`.set.t",
        "project.set.T",
    ):
        assert gold(f"select x from {name}", where) == {"t.x"}
    assert derive_gold("select x from elsewhere.t", where).problems == (
        "unknown table elsewhere.t",
    )
