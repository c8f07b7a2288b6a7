"""
Names of tables and columns: resolved without guessing, and qualified as shortly as is unambiguous.

Callers choose how names compare and which qualifiers are accepted (`Fit`). SQL in query logs may
stay ambiguous (`linker.sql_analysis.tables`), probes must match exactly
(`linker.sql_policy.visible_tables`).
"""
