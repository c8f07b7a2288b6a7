"""Tables and columns that a statement reads, and what it joins, from its text and a catalogue."""

from linker.lineage.reading import JoinedColumns, Reads
from linker.lineage.statements import read_sql
from linker.lineage.tables import MergedTables, Tables

__all__ = ["JoinedColumns", "MergedTables", "Reads", "Tables", "read_sql"]
