"""
Why a probe is refused: enters a code and words, leaves the error that a model and a person both can act on.

The codes are stable; the words may change. `not_parsed`, `not_one_statement`, `not_a_query`, `parameter` and
`forbidden_function` may come from `linker.warehouses.base.read_only`, the others only from here.
"""

from linker.errors import GuardError

HINTS = {
    "not_parsed": "write one `select` in the SQL of this warehouse",
    "not_one_statement": "write one `select` and nothing after it",
    "not_a_query": "write one `select` over tables of the warehouse",
    "forbidden_construct": "write a plain `select` without it",
    "forbidden_function": "use functions that only compute from what the tables hold",
    "parameter": "write the value itself",
    "unknown_table": "use a table of the schema that was shown",
    "ambiguous_table": "write the schema before the table",
    "unknown_column": "use a column of the schema that was shown",
    "hidden_column": "leave the column out: nothing of its values may be told",
    "masked_column": "count it, test it for null, or compare it with at most ten given texts by `=` or `in`",
    "too_large": "ask for less at once",
}


def refused(code: str, reason: str) -> GuardError:
    """The error for a statement that may not run."""
    return GuardError(f"a statement was refused before it ran: {reason}", hint=HINTS[code], code=code)
