"""Index document of a column."""

import pytest
from msgspec.structs import replace

from linker.catalog.documents import write_documents
from linker.types import Catalog, Column, ColumnRef, Columns, Document, Family, Table, TableRef


def column(path: str, data_type: str = "VARCHAR", description: str | None = None) -> Column:
    depth = path.count(".")
    return Column(
        path,
        path.split(".", maxsplit=1)[0],
        depth,
        1,
        data_type,
        is_nullable=True,
        description=description,
    )


def catalog_of(
    *columns: Column, description: str | None = None, family: Family | None = None
) -> Catalog:
    table = Table(TableRef("web", "sessions_*"), "table", description, 10, Columns(columns), family)
    return Catalog(tables=(table,), physical_table_count=1)


def of_columns(catalog: Catalog) -> list[Document]:
    return [
        document for document in write_documents(catalog) if isinstance(document.ref, ColumnRef)
    ]


def only_text(catalog: Catalog) -> str:
    return of_columns(catalog)[0].text


def test_a_family_by_days_that_are_written_day_first_says_its_years() -> None:
    family = Family("day", "31012019", "20122020", ("ld_31012019", "ld_20122020"), "ld_20122020")
    table = Table(TableRef("main", "ld_*"), "table", None, None, Columns(()), family)
    [document] = write_documents(Catalog((table,), 2))
    assert "one table for every day from 2019 to 2020" in document.text


def test_a_document_names_column_table_type_and_what_is_said_of_them() -> None:
    text = only_text(
        catalog_of(
            column("Country", description="Where the visitor is."), description="One row a visit"
        )
    )
    assert (
        text
        == "country of web.sessions_*. where the visitor is. table: one row a visit. type: varchar"
    )


def test_a_family_is_one_document_a_column_however_many_its_members() -> None:
    family = Family(
        "day", "20250101", "20251230", tuple(str(day) for day in range(365)), "sessions_20251231"
    )
    grown = replace(family, members=(*family.members, "sessions_20251231"), last_key="20251231")
    before, after = (
        of_columns(catalog_of(column("country"), family=one)) for one in (family, grown)
    )
    assert len(before) == 1
    assert "one table for every day of 2025" in before[0].text
    # A new shard every day must not embed anything again.
    assert before[0].content_hash == after[0].content_hash


def test_what_was_read_of_a_family_and_that_snapshots_repeat_is_said() -> None:
    members = ("copy_20250101", "copy_20250102", "copy_20250103")
    family = Family(
        "day", "20250101", "20250103", members, members[-1], "partitions", (members[2], members[0])
    )
    assert str(family) == "3 tables by day, 20250101 to 20250103; 2 of 3 read"
    copies = replace(family, kind="snapshots", members_read=members[2:])
    assert str(copies) == (
        "3 snapshots of the same rows by day, 20250101 to 20250103: take one, the newest is copy_20250103"
    )
    texts = [only_text(catalog_of(column("country"), family=one)) for one in (family, copies)]
    assert "one table for every day of 2025" in texts[0]
    assert "one copy of the same rows for every day of 2025" in texts[1]


def test_a_column_that_only_some_members_have_says_so_and_a_path_goes_by_the_members_that_were_read() -> (
    None
):
    members = tuple(f"t_{year}" for year in range(2019, 2025))
    lacking = (("t_2019", ("grade", "entry.new")), *((name, ("grade",)) for name in members[1:4]))
    family = Family(
        "year",
        "2019",
        "2024",
        members,
        "t_2024",
        "partitions",
        ("t_2024", "t_2021", "t_2019"),
        lacking,
    )
    both, grade, path = column("both"), column("grade"), column("entry.new")
    assert [family.holders(one) for one in (both, grade, path)] == [
        "",
        "only in t_2023, t_2024",
        "only in t_2024, t_2021",
    ]
    drifted = replace(family, lacking=(("t_2019", ("grade",)),))
    assert drifted.holders(grade) == "only in 5 of 6, such as t_2024"
    texts = [document.text for document in of_columns(catalog_of(both, grade, family=family))]
    assert ["only some of them have it" in text for text in texts] == [False, True]


@pytest.mark.parametrize(
    ("data_type", "said"),
    [
        ("STRUCT(a INTEGER, b VARCHAR)", "type: struct"),
        ("STRUCT(a INTEGER)[]", "type: list of struct"),
        ("DECIMAL(18,2)", "type: decimal(18,2)"),
    ],
)
def test_a_nested_type_is_named_without_what_is_inside(data_type: str, said: str) -> None:
    assert only_text(catalog_of(column("hits", data_type))).endswith(said)


def test_the_digest_changes_with_the_text_and_only_with_it() -> None:
    [first], [same], [other] = (
        of_columns(catalog_of(column("country", description=description)))
        for description in ("a", "a", "b")
    )
    assert first.content_hash == same.content_hash
    assert first.content_hash != other.content_hash


def test_line_breaks_of_a_comment_do_not_reach_the_text() -> None:
    assert "\n" not in only_text(catalog_of(column("country", description="one\n\n  two")))


@pytest.mark.parametrize(
    ("data_type", "short"),
    [
        ("STRUCT(a BIGINT)", "struct"),
        ("STRUCT(a BIGINT)[]", "list of struct"),
        ("STRUCT<a INT64>", "struct"),
        ("ARRAY<STRUCT<a INT64, b ARRAY<STRING>>>", "list of struct"),
        ("ARRAY<STRING>", "array<string>"),
        ("VARIANT", "variant"),
        ("integer[]", "integer[]"),
        ("ENUM('Paid', 'it''s (open)')", "enum"),
        ("enum('a')[]", "enum[]"),
    ],
)
def test_a_type_is_short_in_every_warehouse(data_type: str, short: str) -> None:
    assert column("payload", data_type).short_type == short
