"""
The whole schema as code: DAIL-SQL links nothing, it hands its writer every table, and examples.

What is handed is what is measured; `--format ddl` shows it as code. No call.
"""

from linker.strategies.full_schema import FullSchemaStrategy


class DailSqlStrategy(FullSchemaStrategy):
    """Gives every table and column, as far as they fit."""

    name = "dail_sql"
