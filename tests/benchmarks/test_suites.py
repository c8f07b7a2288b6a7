"""Suite readers on small folders in the official layouts."""

from pathlib import Path

import pytest

from benchmarks.suites.databases import SuiteColumn, SuiteDatabase, SuiteTable
from linker.catalog.column_metadata import KeyPair
from linker.errors import ConfigError
from linker.evaluation import Suite
from linker.evaluation.suites import open_suite, registered_suites
from linker.types import TableRef
from tests.benchmarks.suite_files import write_csv, write_json, write_lines, write_spider2


def database(suite: Suite, name: str) -> SuiteDatabase:
    found: SuiteDatabase = next(one for one in suite.databases if one.name == name)
    return found


def table(suite: Suite, name: str, schema: str, of: str) -> SuiteTable:
    return next(one for one in database(suite, of).tables if one.ref == TableRef(schema, name))


@pytest.fixture
def spider2(tmp_path: Path) -> Path:
    """Two engines with a database of one name, one of SQLite, and a question of each kind."""
    write_spider2(tmp_path)
    return tmp_path


def test_nested_bigquery_columns_come_with_types_descriptions_and_values(spider2: Path) -> None:
    found = table(
        open_suite("spider2-lite", spider2), "sessions_20250101", "web", of="bigquery.shop"
    )
    assert found.description == 'One row a visit.\nNo "robots".'
    assert found.columns == (
        SuiteColumn("id", "INT64", "The visit", ("7",)),
        SuiteColumn("hits", "ARRAY<STRUCT<page STRING>>", None, ()),
        SuiteColumn("hits.page", "STRING", None, ("/a", "/b")),
    )


def test_snowflake_columns_stand_in_their_true_order_with_the_paths_of_their_documents(
    spider2: Path,
) -> None:
    suite = open_suite("spider2-lite", spider2)
    first, second = (
        table(suite, name, "DAY", of="snowflake.SHOP") for name in ("_20250101", "_20250102")
    )
    assert (first.description, second.description) == ("Events", None)
    assert first.columns == second.columns
    assert first.columns == (
        SuiteColumn("doc", "VARIANT", None, ()),
        SuiteColumn("doc.items", "STRUCT", None, ()),
        SuiteColumn('doc.items."a.b"', "TEXT", None, ("k",)),
        SuiteColumn("doc.n", "JSON", None, ()),
        SuiteColumn("doc.z", "NUMBER", None, ("1", "1.5")),
        SuiteColumn("b", "TEXT", None, ("true",)),
        SuiteColumn("a", "TEXT", None, ("short",)),
    )


def test_snowflake_columns_are_sorted_by_name_where_not_all_tables_tell_their_order(
    spider2: Path,
) -> None:
    (spider2 / "resource" / "databases" / "snowflake" / "SHOP" / "DAY" / "DDL.csv").unlink()
    suite = open_suite("spider2-lite", spider2)
    paths = [one.path for one in table(suite, "_20250102", "DAY", of="snowflake.SHOP").columns]
    assert paths == ["a", "b", "doc", "doc.items", 'doc.items."a.b"', "doc.n", "doc.z"]


def test_questions_find_their_database_by_engine_and_loose_name_and_all_their_gold(
    spider2: Path,
) -> None:
    suite = open_suite("spider2-lite", spider2)
    asked = {one.id: one for one in suite.questions}
    assert {key: one.database for key, one in asked.items()} == {
        "bq001": "bigquery.shop",
        "sf_bq001": "snowflake.SHOP",
        "local001": "sqlite.DB_IMDB",
    }
    assert asked["bq001"].gold_sql == ("select 1", "select 2", "select 3")
    assert asked["sf_bq001"].gold_sql == ("select 4",)
    assert asked["bq001"].document == spider2 / "resource" / "documents" / "terms.md"
    assert asked["local001"].document is None


def test_what_spider2_cannot_use_is_listed_a_line_each(spider2: Path) -> None:
    broken, *others = sorted(open_suite("spider2-lite", spider2).left_out)
    assert broken.startswith(str(spider2))
    assert "broken.json is not valid JSON" in broken
    assert others == [
        "1 document (lost.md) of questions not found",
        "1 question (bq002): no gold SQL",
        "1 question (local002): their database is not here",
        "shop: no columns are told of 1 table (gone)",
    ]


def test_a_dot_in_the_name_of_a_column_is_no_step(spider2: Path) -> None:
    found = table(open_suite("spider2-lite", spider2), "movie", "main", of="sqlite.DB_IMDB")
    assert found.columns == (SuiteColumn('"a.b"', "", None, ()),)


def test_spider2_snow_may_leave_the_engine_out_and_names_its_fields_otherwise(
    spider2: Path,
) -> None:
    databases = spider2 / "resource" / "databases"
    (databases / "snowflake" / "SHOP").rename(databases.parent / "SHOP")
    for engine in ("bigquery", "sqlite", "snowflake"):
        (databases / engine).rename(spider2 / engine)
    (databases.parent / "SHOP").rename(databases / "SHOP")
    write_lines(
        spider2 / "spider2-snow.jsonl",
        {"instance_id": "sf_bq001", "db_id": "SHOP", "instruction": "events?"},
    )
    suite = open_suite("spider2-snow", spider2)
    assert [(one.name, len(one.tables)) for one in suite.databases] == [("snowflake.SHOP", 2)]
    assert [(one.text, one.gold_sql) for one in suite.questions] == [("events?", ("select 4",))]


TABLES = {
    "db_id": "club",
    "table_names_original": ["member", "Ev"],
    "table_names": ["member", "events"],
    "column_names_original": [[-1, "*"], [0, "id"], [0, "Full Name"], [1, "mid"], [1, "day.no"]],
    "column_names": [[-1, "*"], [0, "id"], [0, "full_name"], [1, "member id"], [1, "day number"]],
    "column_types": ["text", "integer", "text", "integer", "integer"],
    "primary_keys": [1, [3, 4]],
    "foreign_keys": [[3, 1]],
}
KEY = KeyPair(TableRef("main", "Ev"), ("mid",), TableRef("main", "member"), ("id",))


@pytest.fixture
def bird(tmp_path: Path) -> Path:
    write_json(tmp_path / "dev_tables.json", [TABLES, {"db_id": "odd"}])
    asked = {
        "question_id": 5,
        "db_id": "club",
        "question": " Who? ",
        "evidence": "",
        "SQL": "SELECT 1\n",
    }
    hinted = {**asked, "question_id": 6, "evidence": "who = member", "difficulty": "simple"}
    write_json(
        tmp_path / "dev.json", [asked, hinted, {**asked, "question_id": 7, "db_id": "absent"}]
    )
    write_json(tmp_path / "mini_dev_postgresql.json", [hinted])
    head = (
        "original_column_name",
        "column_name",
        "column_description",
        "data_format",
        "value_description",
    )
    folder = tmp_path / "dev_databases" / "club" / "database_description"
    write_csv(
        folder / "Member.csv",
        head,
        (" ID ", "member id", "the member’s number.", "integer", "0: none\n1: some"),
        ("full name", "full name", "Full Name", "text", ""),
        ("gone", "", "of no column", "text", ""),
        encoding="cp1252",
    )
    return tmp_path


def test_bird_reads_descriptions_keys_evidence_and_difficulty(bird: Path) -> None:
    suite = open_suite("bird", bird)
    [club] = suite.databases
    assert (club.dialect, club.keys, club.rows) == ("sqlite", (KEY,), None)
    assert club.tables == (
        SuiteTable(
            TableRef("main", "member"),
            (
                SuiteColumn("id", "integer", "member id. the member’s number. 0: none 1: some"),
                SuiteColumn("Full Name", "text", "Full Name"),
            ),
        ),
        SuiteTable(
            TableRef("main", "Ev"),
            (
                SuiteColumn("mid", "integer", "member id"),
                SuiteColumn('"day.no"', "integer", "day number"),
            ),
            "events",
        ),
    )
    first, second = suite.questions
    assert (first.id, first.text, first.gold_sql, first.evidence) == (
        "bird5",
        "Who?",
        ("SELECT 1",),
        None,
    )
    assert (second.evidence, second.difficulty) == ("who = member", "simple")


def test_what_bird_cannot_use_is_listed(bird: Path) -> None:
    unread, absent, described = open_suite("bird", bird).left_out
    assert "odd cannot be read" in unread
    assert absent == "1 question: their database is not here"
    assert described == "1 description (club.member.gone) of columns that no table has"


def test_mini_dev_is_a_suite_a_dialect(bird: Path) -> None:
    suite = open_suite("bird-mini-postgresql", bird)
    assert (suite.databases[0].dialect, [one.id for one in suite.questions]) == (
        "postgres",
        ["mini6"],
    )


def test_bird_has_rows_where_the_files_were_fetched(bird: Path) -> None:
    rows = bird / "dev_databases" / "club" / "club.sqlite"
    rows.touch()
    assert open_suite("bird", bird).databases[0].rows == rows


def test_spider1_reads_keys_rows_and_questions_with_an_identity_of_their_own(
    tmp_path: Path,
) -> None:
    write_json(tmp_path / "tables.json", [TABLES, {**TABLES, "db_id": "of training"}])
    asked = [
        {"db_id": name, "question": "?", "query": "select 1"} for name in ("club", "absent", "club")
    ]
    write_json(tmp_path / "dev.json", asked)
    rows = tmp_path / "database" / "club" / "club.sqlite"
    rows.parent.mkdir(parents=True)
    rows.touch()
    suite = open_suite("spider1", tmp_path)
    assert [(one.name, one.keys, one.rows) for one in suite.databases] == [("club", (KEY,), rows)]
    assert [one.id for one in suite.questions] == ["club-1", "club-2"]
    assert suite.left_out == ("1 question: their database is not here",)


def test_beaver_reads_types_without_defaults_enumerations_comments_and_keys(tmp_path: Path) -> None:
    described = {
        "db_id": "nova",
        "table_name_original": "host",
        "column_names_original": ["id", "state", "zone"],
        "column_types": [
            "int NOT NULL AUTO_INCREMENT",
            "enum('on','it''s off') COLLATE utf8mb3_unicode_ci DEFAULT NULL",
            "varchar(255) DEFAULT NULL COMMENT 'where it''s kept'",
        ],
        "primary_key": ["id"],
        "foreign_key": [
            {
                "column_name": "zone",
                "referenced_table_name": "nova#sep#zones",
                "referenced_column_name": "name",
            }
        ],
    }
    write_json(
        tmp_path / "dev_tables.json",
        {"nova#sep#host": described, "nova#sep#odd": {"db_id": "nova"}},
    )
    write_json(
        tmp_path / "dev_nw.json",
        [
            {"db_id": name, "question": "?", "sql": "select 1 "}
            for name in ("nova", "absent", "nova")
        ],
    )
    suite = open_suite("beaver", tmp_path)
    [nova] = suite.databases
    assert nova.dialect == "mysql"
    assert nova.tables[0].columns == (
        SuiteColumn("id", "int"),
        SuiteColumn("state", "enum('on','it''s off')", None, ("on", "it's off")),
        SuiteColumn("zone", "varchar(255)", "where it's kept"),
    )
    assert nova.keys == (
        KeyPair(TableRef("main", "host"), ("zone",), TableRef("main", "zones"), ("name",)),
    )
    assert [(one.id, one.gold_sql) for one in suite.questions] == [
        ("nw0", ("select 1",)),
        ("nw2", ("select 1",)),
    ]
    assert [line.partition(" ")[0] for line in suite.left_out] == ["nova#sep#odd", "1"]


def test_a_folder_that_holds_several_suites_under_their_names_will_do(
    bird: Path, tmp_path: Path
) -> None:
    inside = tmp_path / "bird"
    inside.mkdir()
    for path in [path for path in bird.iterdir() if path != inside]:
        path.rename(inside / path.name)
    assert len(open_suite("bird", tmp_path).questions) == 2


@pytest.mark.parametrize("name", registered_suites())
def test_a_folder_of_another_layout_is_one_line_and_a_hint(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"is not the folder of {name}: it has no ") as raised:
        open_suite(name, tmp_path)
    assert "--root" in raised.value.hint


def test_a_damaged_file_of_questions_is_one_line(bird: Path) -> None:
    (bird / "dev.json").write_text("[", "utf-8")
    with pytest.raises(ConfigError, match=r"dev\.json is not valid JSON"):
        open_suite("bird", bird)
