"""Gold is invariant under aliases, CTEs, sub-queries, case and whitespace."""

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from linker.evaluation.preparing import MergedDatabase
from tests.gold_databases import BIGQUERY, DUCKDB, LITE, MYSQL, POSTGRES, SNOWFLAKE, gold

COLUMNS = {"users": ("id", "name", "age", "city"), "orders": ("id", "user_id", "total", "city")}
NAMES = st.from_regex(r"[b-y][b-y]{0,5}[0-9]", fullmatch=True)
SHOPS = st.sampled_from((LITE, POSTGRES, MYSQL, DUCKDB, BIGQUERY, SNOWFLAKE))

# The first statement of a dialect loads it.
UNHURRIED = settings(deadline=None)


@dataclass(frozen=True)
class Query:
    """A join of some tables under aliases, and the columns that it uses in its clauses."""

    tables: tuple[str, ...]
    selected: tuple[tuple[int, str], ...]
    filtered: tuple[tuple[int, str], ...]
    sorted_by: tuple[tuple[int, str], ...]

    def sql(self, aliases: tuple[str, ...], table: Callable[[str], str] = str) -> str:
        """The text, with each table under its alias."""

        def written(used: tuple[tuple[int, str], ...], template: str, between: str) -> str:
            return between.join(
                template.format(f"{aliases[place]}.{column}") for place, column in used
            )

        origin = ", ".join(
            f"{table(name)} as {alias}" for name, alias in zip(self.tables, aliases, strict=False)
        )
        where = (
            f" where {written(self.filtered, '{} is not null', ' and ')}" if self.filtered else ""
        )
        order = f" order by {written(self.sorted_by, '{}', ', ')}" if self.sorted_by else ""
        return (
            f"select {written(self.selected, 'coalesce({}, 0)', ', ')} from {origin}{where}{order}"
        )

    @property
    def used(self) -> set[str]:
        """The gold, by construction."""
        return {
            f"{self.tables[at]}.{name}"
            for at, name in (*self.selected, *self.filtered, *self.sorted_by)
        }


@st.composite
def queries(draw: st.DrawFn) -> Query:
    tables = tuple(draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=3)))
    choices = [(place, column) for place, name in enumerate(tables) for column in COLUMNS[name]]

    def some(least: int) -> tuple[tuple[int, str], ...]:
        return tuple(draw(st.lists(st.sampled_from(choices), min_size=least, max_size=4)))

    return Query(tables, some(1), some(0), some(0))


ALIASES = st.lists(NAMES, min_size=3, max_size=3, unique=True).map(tuple)


@UNHURRIED
@given(queries(), ALIASES, SHOPS)
def test_gold_is_what_the_clauses_use_whatever_the_aliases(
    query: Query, aliases: tuple[str, ...], shop: MergedDatabase
) -> None:
    assert gold(query.sql(aliases), shop) == query.used


@UNHURRIED
@given(queries(), ALIASES, SHOPS)
def test_tables_wrapped_in_sub_queries_with_a_star_change_nothing(
    query: Query, aliases: tuple[str, ...], shop: MergedDatabase
) -> None:
    assert gold(query.sql(aliases, "(select * from {})".format), shop) == query.used


@UNHURRIED
@given(queries(), ALIASES, SHOPS)
def test_tables_wrapped_in_ctes_with_a_star_change_nothing(
    query: Query, aliases: tuple[str, ...], shop: MergedDatabase
) -> None:
    ctes = "with all_users as (select * from users), all_orders as (select o.* from orders o) "
    assert gold(ctes + query.sql(aliases, "all_{}".format), shop) == query.used


@UNHURRIED
@given(queries(), ALIASES, NAMES, SHOPS)
def test_a_query_wrapped_in_another_changes_nothing(
    query: Query, aliases: tuple[str, ...], name: str, shop: MergedDatabase
) -> None:
    assert gold(f"select count(*) from ({query.sql(aliases)}) as {name}", shop) == query.used
    assert gold(f"with {name} as ({query.sql(aliases)}) select 1 from {name}", shop) == query.used


@UNHURRIED
@given(queries(), ALIASES, SHOPS)
def test_case_and_blanks_change_nothing(
    query: Query, aliases: tuple[str, ...], shop: MergedDatabase
) -> None:
    shouted = query.sql(aliases).upper().replace(" ", "\n  ")
    assert gold(shouted, shop) == query.used


@UNHURRIED
@given(queries(), queries(), ALIASES, SHOPS)
def test_a_union_reads_what_both_read(
    left: Query, right: Query, aliases: tuple[str, ...], shop: MergedDatabase
) -> None:
    narrowed = [Query(one.tables, one.selected[:1], one.filtered, ()) for one in (left, right)]
    sql = " union all ".join(one.sql(aliases) for one in narrowed)
    assert gold(sql, shop) == narrowed[0].used | narrowed[1].used
