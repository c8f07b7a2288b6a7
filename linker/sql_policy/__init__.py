"""
The guard: checks SQL that a model or a person wrote and returns a runnable probe, or refuses it
with one reason.

    guard = Guard(known_tables(catalog, warehouse.dialect, privacy, schema=target.schema))
    probe, rows = guard.run(sql, warehouse)
"""

from linker.sql_policy.guard import Guard, Probe, ProbeLimits
from linker.sql_policy.visible_tables import KnownTables, known_tables

__all__ = ["Guard", "KnownTables", "Probe", "ProbeLimits", "known_tables"]
