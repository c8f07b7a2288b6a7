"""Files of suites: how they are written, and Spider 2.0-Lite in its layout, small."""

import csv
import json
from pathlib import Path

DDL_OF_SESSIONS = """CREATE TABLE `public.web.sessions_20250101`
(
  id INT64 OPTIONS(description="Not that of the table"),
  hits ARRAY<STRUCT<page STRING>>
)
OPTIONS(
  description="One row a visit.\\nNo \\"robots\\"."
);"""


def write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")


def write_lines(path: Path, *records: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def write_csv(path: Path, *rows: tuple[str, ...], encoding: str = "utf-8") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file).writerows(rows)


def write_spider2(folder: Path) -> None:
    """All files below a folder."""
    databases = folder / "resource" / "databases"
    _write_bigquery(databases)
    _write_snowflake(databases)
    _write_sqlite(databases)
    _write_questions(folder)
    _write_gold(folder)


def _write_bigquery(databases: Path) -> None:
    web = databases / "bigquery" / "shop" / "public.web"
    write_json(
        web / "sessions_20250101.json",
        {
            "table_name": " sessions_20250101",
            "table_fullname": "public.web. sessions_20250101",
            "column_names": ["id", "hits", "_PARTITIONTIME"],
            "column_types": ["INT64", "ARRAY<STRUCT<page STRING>>", "TIMESTAMP"],
            "nested_column_names": ["id", "hits", "hits.page"],
            "nested_column_types": ["INT64", "ARRAY<STRUCT<page STRING>>", "STRING"],
            "description": ["The visit", None, " "],
            "sample_rows": [
                {"id": 7, "hits": [{"page": "/a"}, {"page": "/b"}]},
                {"id": 7, "hits": [{"page": "/a"}]},
            ],
        },
    )
    write_csv(
        web / "DDL.csv",
        ("table_name", "ddl"),
        ("sessions_20250101", DDL_OF_SESSIONS),
        ("gone", "CREATE TABLE …"),
    )


def _write_snowflake(databases: Path) -> None:
    snow = databases / "snowflake" / "SHOP" / "DAY"
    for name, columns in (("DAY._20250101", ["b", "a", "doc"]), ("_20250102", ["doc", "a", "b"])):
        write_json(
            snow / f"{name.removeprefix('DAY.')}.json",
            {
                "table_name": name,
                "table_fullname": f"SHOP.DAY.{name.removeprefix('DAY.')}",
                "column_names": columns,
                "column_types": ["VARIANT" if column == "doc" else "TEXT" for column in columns],
                "description": [None] * 3,
                "sample_rows": [
                    {
                        "a": "x" * 300,
                        "b": True,
                        "doc": '{"z": 1, "items": [{"a.b": "k"}, {"a.b": null}], "n": null}',
                    },
                    {"a": "short", "b": None, "doc": '{"z": 1.5}'},
                ],
            },
        )
    write_csv(
        snow / "DDL.csv",
        ("table_name", "description", "DDL"),
        (
            "_20250101",
            "Events",
            'create or replace TABLE _20250101 (\n\t"doc" VARIANT,\n\t"b" VARCHAR(9),\n\t"a" TEXT\n);',
        ),
        (
            "_20250102",
            "",
            'create or replace TABLE _20250102 (\n\t"doc" VARIANT,\n\t"b" VARCHAR(9),\n\t"a" TEXT\n);',
        ),
    )


def _write_sqlite(databases: Path) -> None:
    write_json(
        databases / "sqlite" / "DB_IMDB" / "movie.json",
        {
            "table_name": "movie",
            "table_fullname": "movie",
            "column_names": ["a.b"],
            "column_types": [""],
            "description": [""],
            "sample_rows": [],
        },
    )
    (databases / "sqlite" / "DB_IMDB" / "broken.json").write_text("{", "utf-8")


def _write_questions(folder: Path) -> None:
    write_lines(
        folder / "spider2-lite.jsonl",
        {
            "instance_id": "bq001",
            "db": "shop",
            "question": "visits?",
            "external_knowledge": "terms.md",
        },
        {
            "instance_id": "sf_bq001",
            "db": "SHOP",
            "question": "events?",
            "external_knowledge": None,
        },
        {
            "instance_id": "local001",
            "db": "Db-IMDB",
            "question": "movies?",
            "external_knowledge": "lost.md",
        },
        {"instance_id": "local002", "db": "absent", "question": "?", "external_knowledge": None},
        {"instance_id": "bq002", "db": "shop", "question": "no gold", "external_knowledge": None},
    )
    (folder / "resource" / "documents").mkdir()
    (folder / "resource" / "documents" / "terms.md").write_text("A visit is …", "utf-8")


def _write_gold(folder: Path) -> None:
    gold = folder / "evaluation_suite" / "gold" / "sql"
    gold.mkdir(parents=True)
    for name, sql in (
        ("bq001", "select 1\n"),
        ("bq001_a", "select 2"),
        ("bq001_b", "select 3"),
        ("sf_bq001_a", "select 4"),
        ("local001", "select 5"),
        ("local002", "select 6"),
    ):
        (gold / f"{name}.sql").write_text(sql, "utf-8")
