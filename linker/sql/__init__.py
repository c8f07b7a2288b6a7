"""
SQL from a linked schema: enters a question that was linked, leaves one statement, what it gave, and
how sure that is.

A language model writes several candidates, which run and vote; nothing reaches the warehouse but
through the guard.
"""
