"""
SQL from a linked schema: enters a question that was linked, leaves one statement, what it gave, and how sure that is.

With a language model several candidates run and vote; without one a writer of simple statements says what it read.
Either way nothing reaches the warehouse but through the guard.
"""
