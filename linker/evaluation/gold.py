"""Gold from gold SQL: enters the text of a statement and the merged database, leaves tables and columns it reads."""

from linker.evaluation.types import Gold
from linker.lineage import MergedTables, Tables, read_sql


def derive_gold(sql: str, database: MergedTables) -> Gold:
    """What a right statement, or a script of several, reads in logical tables."""
    reads = read_sql(sql, Tables(database))
    return Gold(reads.fields, reads.tables, reads.problems)
