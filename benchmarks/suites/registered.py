"""
Entry points of the group `linker.suites`: names of suites and their readers.

`linker eval --help` imports this module, so it imports no reader.
"""

from linker.evaluation.suites import SuiteReader

_PREPARE = "benchmarks.suites.rows:prepare_rows"
_PREPARE_FILES = "benchmarks.suites.merging:prepare_files"

catalogue = SuiteReader(
    "Any catalogue and questions, as JSON lines.",
    "benchmarks.suites.catalogue:read",
    _PREPARE_FILES,
)


def _spider2(part: str, description: str) -> SuiteReader:
    return SuiteReader(description, f"benchmarks.suites.spider2:read_{part}", _PREPARE)


def _bird_mini(kind: str, words: str) -> SuiteReader:
    return SuiteReader(
        f"BIRD Mini-Dev in {words}.", f"benchmarks.suites.bird:read_mini_{kind}", _PREPARE
    )


spider2_lite = _spider2("lite", "Spider 2.0-Lite: BigQuery, Snowflake and SQLite, without rows.")
spider2_snow = _spider2("snow", "Spider 2.0-Snow, without rows.")
bird = SuiteReader(
    "BIRD dev, with evidence, without rows.", "benchmarks.suites.bird:read_dev", _PREPARE
)
bird_mini_sqlite = _bird_mini("sqlite", "SQLite")
bird_mini_mysql = _bird_mini("mysql", "MySQL")
bird_mini_postgresql = _bird_mini("postgresql", "PostgreSQL")
spider1 = SuiteReader(
    "Spider 1.0 dev: its rows are loaded into DuckDB and profiled.",
    "benchmarks.suites.spider1:read",
    _PREPARE,
)
beaver = SuiteReader("BEAVER, without rows.", "benchmarks.suites.beaver:read", _PREPARE_FILES)
