"""Privacy patterns without a match, and values that profiles still show."""

from linker.catalog.warehouse import still_shown, unmatched
from linker.config.settings import Settings, load_settings
from linker.types import Catalog, Column, ColumnRef, Columns, Family, Table, TableRef


def table(name: str, *paths: str, family: Family | None = None) -> Table:
    columns = tuple(
        Column(path, path, 0, place, "varchar", True, None) for place, path in enumerate(paths)
    )
    return Table(TableRef("Shop", name), "table", None, None, Columns(columns), family)


VISITS = Family(
    "day", "20260101", "20260102", ("visits_20260101", "visits_20260102"), "visits_20260102"
)
CATALOG = Catalog((table("Customers", "Email", "name"), table("visits_*", "ip", family=VISITS)), 3)
EMAIL, NAME = (ColumnRef(TableRef("Shop", "Customers"), path) for path in ("Email", "name"))
IP = ColumnRef(TableRef("Shop", "visits_*"), "ip")


def test_a_pattern_without_a_column_is_told_with_what_a_pattern_is() -> None:
    settings = Settings(
        hide_columns=("shop.customers.email", "email", "*.visits_20260102.ip"),
        mask_columns=("*.custmers.*",),
        show_columns=("SHOP.VISITS_*.IP", "shop.customers.e?ail"),
    )
    hint = "; a pattern is `schema.table.column`, and `*` matches any text"
    assert unmatched(settings, CATALOG) == [
        f"hide_columns: no column matches `email`{hint}",
        f"mask_columns: no column matches `*.custmers.*`{hint}",
        f"show_columns: no column matches `shop.customers.e?ail`{hint}",
    ]


def test_columns_that_the_profiles_show_though_the_settings_do_not() -> None:
    settings = Settings(
        hide_columns=("shop.customers.*",),
        mask_columns=("*.ip", "*.email"),
        show_columns=("shop.customers.name",),
    )
    assert still_shown(settings, CATALOG, {EMAIL: "mask", NAME: "hide", IP: "mask"}) == [EMAIL]
    assert still_shown(settings, CATALOG, {EMAIL: "hide", NAME: "show", IP: "show"}) == [NAME, IP]
    excluding = Settings(exclude_columns=("*.ip", "*.email"), hide_columns=("shop.customers.name",))
    assert still_shown(excluding, CATALOG, {EMAIL: "exclude", NAME: "refuse", IP: "hide"}) == [IP]
    assert still_shown(Settings(), CATALOG, {EMAIL: "show"}) == []


def test_the_environment_gives_patterns_with_commas_between() -> None:
    settings = load_settings({}, {"LINKER_HIDE_COLUMNS": "hr.*.salary, *.ssn"})
    assert settings.hide_columns == ("hr.*.salary", "*.ssn")
