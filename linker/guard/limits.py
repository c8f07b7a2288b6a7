"""Puts the row limit into the tree of a query: enters a query and a number, leaves one that returns no more rows."""

from sqlglot import exp


def limited(query: exp.Query | exp.Values, rows: int) -> exp.Query:
    """The query with its own limit where that is lower, and else with this one; an offset stays as it is."""
    while isinstance(query, exp.Subquery) and query.is_wrapper:
        query = query.this
    if isinstance(query, exp.Values):
        query = exp.select("*").from_(exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier("given"))))
    if isinstance(query, exp.Subquery) and not query.args.get("limit"):
        query.set("this", limited(query.this, rows + _skipped(query)))
    query.set("limit", exp.Limit(expression=exp.Literal.number(min(rows, _own(query.args.get("limit"), rows)))))
    return query


def _own(limit: exp.Expr | None, rows: int) -> int:
    """The number of rows that a query asks for, where it says it as a plain number."""
    if limit is None:
        return rows
    options = limit.args.get("limit_options")
    count = limit.args.get("count") if isinstance(limit, exp.Fetch) else limit.args.get("expression")
    is_plain = isinstance(count, exp.Literal) and not count.is_string and count.name.isdecimal()
    if not is_plain or (options and (options.args.get("percent") or options.args.get("with_ties"))):
        return rows
    return int(count.name) if count is not None else rows


def _skipped(query: exp.Query) -> int:
    offset = query.args.get("offset")
    skipped = offset.expression if offset else None
    return int(skipped.name) if isinstance(skipped, exp.Literal) and skipped.name.isdecimal() else 0
