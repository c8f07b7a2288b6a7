"""DAIL-SQL: the whole schema as DDL and no linking; `--format ddl` shows it. No call."""

from linker.strategies.full_schema import FullSchemaStrategy


class DailSqlStrategy(FullSchemaStrategy):
    """Gives every table and column, as far as they fit."""

    name = "dail_sql"
