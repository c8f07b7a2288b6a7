"""
Static analysis of SQL: tables and columns that a statement reads and joins, resolved against a
catalog.
"""

from linker.sql_analysis.collected_reads import JoinedColumns, Reads
from linker.sql_analysis.statements import read_sql
from linker.sql_analysis.tables import MergedTables, Tables

__all__ = ["JoinedColumns", "MergedTables", "Reads", "Tables", "read_sql"]
