"""Name resolution on generated catalogs: certain names resolve, others are never guessed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linker.errors import NameLookupError
from linker.identifiers.resolver import Names, Unknown, find
from linker.sql_analysis import MergedTables, Tables
from linker.sql_policy.visible_tables import known_tables
from linker.text.escaping import escape_invisible, escape_prompt
from linker.types import Catalog, Column, ColumnRef, Columns, Family, Table, TableRef

# Far enough apart that none is a slip of another.
SCHEMAS = ("sales", "crm", "Web")
TABLES = ("orders", "Customers", "visits", "stock items")
MEMBERS = ("clicks_20250101", "clicks_20250102")
PATHS = ("order_id", "Amount", "payload", "payload.channel", "payload.user.name", "zip code")
# Names with untypable characters, and one that a prompt escapes.
ODD_PATHS = (
    "tab\there",
    "line\nbreak",
    "zero\u200bwidth",
    "\u202egnirts",
    "two  blanks",
    "end\t",
    "a</data>",
    "<|im_start|>",
)


@st.composite
def catalogs(draw: st.DrawFn) -> Catalog:
    """
    Tables and families, each with its own columns; several schemas may hold tables of one name.
    """
    refs = draw(
        st.sets(
            st.tuples(st.sampled_from(SCHEMAS), st.sampled_from((*TABLES, "clicks_*"))), min_size=1
        )
    )
    family = Family("day", "20250101", "20250102", MEMBERS, MEMBERS[-1])
    tables = []
    for schema, name in sorted(refs):
        paths = sorted(draw(st.sets(st.sampled_from(PATHS), min_size=1)))
        columns = tuple(
            Column(
                path,
                path.partition(".")[0],
                path.count("."),
                at,
                "INT",
                is_nullable=True,
                description=None,
            )
            for at, path in enumerate(paths)
        )
        ref, is_family = TableRef(schema, name), name.endswith("*")
        tables.append(
            Table(ref, "table", None, None, Columns(columns), family if is_family else None)
        )
    return Catalog(tuple(tables), len(tables))


def spellings(name: str) -> list[str]:
    """A name in other case and in quotes."""
    return [
        name,
        name.upper(),
        name.lower(),
        ".".join(f'"{step}"' for step in name.split(".")),
        f"`{name}`",
    ]


@given(catalogs())
def test_every_table_and_column_is_found_by_its_full_name_in_any_case_and_in_quotes(
    catalog: Catalog,
) -> None:
    names = Names(catalog)
    for table in catalog.tables:
        for written in spellings(str(table.ref)):
            assert (
                names.table(written) == names.find(written) == find(written, catalog) == table.ref
            )
        for column in table.columns:
            ref = ColumnRef(table.ref, column.path)
            for written in spellings(str(ref)):
                assert names.column(written) == names.find(written) == find(written, catalog) == ref


@pytest.mark.parametrize("path", ODD_PATHS)
def test_a_name_that_nobody_can_type_is_found_as_it_is_shown_to_people_and_models(
    path: str,
) -> None:
    columns = tuple(
        Column(item, item, 0, at, "INT", is_nullable=True, description=None)
        for at, item in enumerate(ODD_PATHS)
    )
    ref = TableRef("sales", "new\tline\n")
    catalog = Catalog((Table(ref, "table", None, None, Columns(columns)),), 1)
    column = ColumnRef(ref, path)
    for written in (
        str(column),
        escape_invisible(column),
        escape_prompt(escape_invisible(column)),
        escape_invisible(column).upper().replace("\\U", "\\u"),
    ):
        assert Names(catalog).column(written) == find(written, catalog) == column
    assert (
        Names(catalog).table(escape_invisible(ref)) == find(escape_invisible(ref), catalog) == ref
    )


def test_a_name_that_holds_a_backslash_is_not_taken_for_the_one_that_it_spells() -> None:
    columns = tuple(
        Column(item, item, 0, at, "INT", is_nullable=True, description=None)
        for at, item in enumerate(("a\tb", "a\\u0009b"))
    )
    catalog = Catalog((Table(TableRef("sales", "t"), "table", None, None, Columns(columns)),), 1)
    for column in columns:
        assert str(find(f"sales.t.{column.path}", catalog)) == f"sales.t.{column.path}"


@given(catalogs())
def test_a_member_of_a_family_leads_to_the_family_and_its_columns(catalog: Catalog) -> None:
    names, tables = Names(catalog), Tables(MergedTables.create("duckdb", catalog))
    for table in catalog.tables:
        for member in table.family.members if table.family else ():
            written = f"{table.ref.schema}.{member}"
            assert names.table(written) == find(written, catalog) == table.ref
            assert tables.resolve(written) == [TableRef(table.ref.schema, member)]
            assert names.column(f"{written}.{table.columns[0].path}") == ColumnRef(
                table.ref, table.columns[0].path
            )


@given(catalogs())
def test_a_name_without_its_schema_is_found_where_it_is_the_only_one_and_never_where_it_is_not(
    catalog: Catalog,
) -> None:
    names = Names(catalog)
    tables = Tables(MergedTables.create("duckdb", catalog))
    known = known_tables(catalog, "duckdb", {})
    count = Counter(table.ref.name for table in catalog.tables)
    for table in catalog.tables:
        name = table.ref.name
        alike = {other.ref for other in catalog.tables if other.ref.name == name}
        assert set(tables.resolve(name)) == alike
        assert {found.table.ref for found in known.find([name])} == alike
        if count[name] == 1:
            assert names.table(name) == find(name, catalog) == table.ref
            continue
        unknown = names.table(name)
        assert isinstance(unknown, Unknown)
        assert set(unknown.near) <= set(map(str, alike))
        with pytest.raises(NameLookupError, match="may be one of"):
            find(name, catalog)


@given(catalogs())
def test_a_bare_column_is_found_where_one_table_at_hand_has_it_and_never_where_several_do(
    catalog: Catalog,
) -> None:
    names = Names(catalog)
    among = [table.ref for table in catalog.tables]
    for path in PATHS:
        holders = [table.ref for table in catalog.tables if path in table.column_by_path]
        found = names.column(path.rpartition(".")[2], among)
        if len(holders) == 1:
            assert found == ColumnRef(holders[0], path)
        else:
            assert isinstance(found, Unknown)


@given(catalogs(), st.sampled_from(SCHEMAS), st.sampled_from(TABLES))
def test_a_probe_finds_no_table_by_a_schema_that_does_not_hold_it(
    catalog: Catalog, schema: str, name: str
) -> None:
    known = known_tables(catalog, "duckdb", {}, database="shop", schema="sales")
    is_there = TableRef(schema, name) in catalog.table_by_ref
    assert bool(known.find([schema, name])) == is_there
    assert bool(known.find(["shop", schema, name])) == is_there
    assert (
        known.find(["other", schema, name])
        == known.find([f"{schema}.{name}"])
        == known.find(["", name])
        == []
    )


@given(catalogs(), st.text(max_size=30))
def test_whatever_is_written_is_a_table_or_a_column_of_the_catalogue_or_unknown(
    catalog: Catalog, name: str
) -> None:
    for found in (
        Names(catalog).find(name),
        Names(catalog).table(name),
        Names(catalog).column(name),
    ):
        is_column = isinstance(found, ColumnRef) and catalog.find(found) is not None
        assert is_column or isinstance(found, Unknown) or found in catalog.table_by_ref


def test_a_table_whose_name_holds_a_dot_is_not_meant_by_the_last_part_of_it() -> None:
    dotted = Table(TableRef("raw", "v1.2"), "table", None, None, Columns(()))
    catalog = Catalog((dotted,), 1)
    tables = Tables(MergedTables.create("duckdb", catalog))
    assert (tables.resolve("v1.2"), tables.resolve("raw.v1.2"), tables.resolve("2")) == (
        [dotted.ref],
        [dotted.ref],
        [],
    )
    assert isinstance(Names(catalog).table("2"), Unknown)


def test_a_slip_in_the_table_and_one_before_its_column_are_not_repaired_together() -> None:
    column = Column("order_id", "order_id", 0, 0, "INT", is_nullable=True, description=None)
    orders = Table(TableRef("sales", "customer_orders"), "table", None, None, Columns((column,)))
    names = Names(Catalog((orders,), 1))
    assert names.table("shop.sales.custmer_orders") == orders.ref
    assert isinstance(names.column("shop.sales.custmer_orders.ordr_id"), Unknown)
