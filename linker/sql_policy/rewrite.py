"""
Rewrites the original text of a statement: tables replaced, rows limited.

Only table names, restricted tables, numbers compared with marks and the row limit change. All other
text is kept, so that a SQL generator cannot change the meaning. Positions come from the parser.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest

import sqlglot
from sqlglot import Token, TokenType, exp

from linker.sql_analysis.scope import folded
from linker.sql_policy.allowlist import listed, refused
from linker.sql_policy.tables import ReadTable
from linker.types import Record
from linker.warehouses.base.dialect import Dialect

_QUOTES = "\"`'"
_WORD = re.compile(r"\w+")
_TABLE = re.compile(r"\btable\s+$", re.IGNORECASE)
# Tokens that may be names; keywords have their own types.
_NAMED = (TokenType.VAR, TokenType.IDENTIFIER)
# Keywords that a generator may separate from their parenthesis.
_MOVED = frozenset({"distinct", "group", "over", "percent", "row", "sample"})


class Edit(Record, frozen=True):
    """A replacement from `start` to before `end`."""

    start: int
    end: int
    text: str


def is_understood(text: str, tree: exp.Expr, written: str, dialect: Dialect) -> bool:
    """
    Whether the tree accounts for each name of the text: the warehouse may act on what the parser
    ignored. `written` is SQL generated from the tree; names missing even there were misparsed.
    """
    tokens = sqlglot.tokenize(text, read=dialect.name)
    if any(_is_quoted_call(token, after, dialect) for token, after in pairwise(tokens)):
        return False
    if any(token.token_type == TokenType.PIPE_GT for token in tokens):
        # Pipe syntax becomes several queries.
        return False
    unseen = [token.text.casefold() for token in _unseen(tokens, tree)]
    tokens_kept = sqlglot.tokenize(written, read=dialect.name)
    lost = _words_of(tokens) - _words_of(tokens_kept)
    for name in unseen:
        if not lost.keys().isdisjoint(_WORD.findall(name)):
            raise refused("not_parsed", f"`{name}` would be taken for something else than a name")
    passed_over = _words_before_brackets(tokens) - _words_before_brackets(tokens_kept)
    if "interval" in passed_over:
        raise refused("not_parsed", "it says how exact an interval is")
    return not (unseen or passed_over)


def _unseen(tokens: Sequence[Token], tree: exp.Expr) -> Iterator[Token]:
    """Names without a tree node that are no keywords."""
    seen = {node.meta["start"] for node in tree.walk() if "start" in node.meta}
    words = {str(node.name).casefold() for node in tree.find_all(exp.Var, exp.Anonymous)}
    words |= listed("keywords") | listed("types") | listed("units") | listed("words")
    for token, after in zip_longest(tokens, tokens[1:]):
        # Calls are checked by name; before a colon is a key or alias.
        is_judged = after is not None and after.token_type in (TokenType.L_PAREN, TokenType.COLON)
        is_seen = token.start in seen or token.text.casefold() in words
        if token.token_type in _NAMED and not is_judged and not is_seen:
            yield token


def _words_of(tokens: Sequence[Token]) -> Counter[str]:
    """Words outside texts; Snowflake's colon paths become texts."""
    words = Counter[str]()
    for before, token in pairwise([None, *tokens]):
        is_path = before is not None and before.token_type == TokenType.COLON
        if token is not None and token.token_type != TokenType.STRING and not is_path:
            words.update(_WORD.findall(token.text.casefold()))
    return words


def _is_quoted_call(token: Token, after: Token, dialect: Dialect) -> bool:
    """A quoted name is a function, even if it is a keyword."""
    is_call = after.token_type == TokenType.L_PAREN and token.token_type == TokenType.IDENTIFIER
    if is_call:
        _check_quoted_call(token.text, dialect)
    return is_call


def _check_quoted_call(name: str, dialect: Dialect) -> None:
    """Quoted names are case-sensitive."""
    if folded(exp.to_identifier(name), dialect) != name and dialect.unquoted_case != "any":
        raise refused("forbidden_function", f'`"{name}"` is not one that a probe may call')


def _words_before_brackets(tokens: Sequence[Token]) -> Counter[str]:
    """Keywords before parentheses that look like calls: `as (`."""
    words = listed("keywords") - _MOVED
    return Counter(
        token.text.casefold()
        for token, after in pairwise(tokens)
        if after.token_type == TokenType.L_PAREN and token.text.casefold() in words
    )


def table_name_edits(tables: Sequence[ReadTable], text: str) -> dict[int, Edit] | None:
    """Positions of table names by node; None if one is not found."""
    edits: dict[int, Edit] = {}
    for read in tables:
        edit = _name_edit(read.written.parts, text)
        if edit is None or read.match.wildcard:
            return None
        edits[id(read.node)] = edit
    return edits


def _name_edit(parts: Sequence[exp.Expr], text: str) -> Edit | None:
    """The full name, if its parts are adjacent in the text."""
    end = -1
    for part in parts:
        start = part.meta.get("start", -1)
        between = text[end:start].strip() if end >= 0 else "."
        if start < end or between != ".":
            return None
        end = part.meta["end"] + 1
        if text[start:end].strip(_QUOTES).replace('""', '"') != part.name:
            return None
    return Edit(parts[0].meta["start"], end, "") if parts else None


def replaced(
    text: str,
    tree: exp.Expr,
    tables: Sequence[ReadTable],
    name_edits: Mapping[int, Edit],
    queries: Mapping[int, exp.Query],
    dialect: Dialect,
) -> str:
    """The text with qualified tables or replacement queries."""
    edits = [
        _table_edit(text, read, name_edits[id(read.node)], queries.get(id(read.node)), dialect)
        for read in tables
    ]
    edits += _marks(text, tree)
    renamed = [read for read in tables if _needs_name(read, queries.get(id(read.node)), dialect)]
    edits += _qualifiers(tree, renamed)
    return _edited(text, edits)


def _table_edit(
    text: str, read: ReadTable, name_edit: Edit, query: exp.Query | None, dialect: Dialect
) -> Edit:
    table = read.node
    if query is None:
        name = exp.Table(**{key: table.args.get(key) for key in ("this", "db", "catalog")})
        written = name.sql(dialect.name)
    else:
        is_sampled = read.written.is_sampled and not dialect.samples_queries
        if is_sampled or read.written.is_only or text[name_edit.end :].lstrip().startswith("*"):
            raise refused(
                "forbidden_construct",
                f"{read.table.ref} has private columns: it may not be read by `tablesample`, `only`"
                " or `*` behind its name",
            )
        written = f"({query.sql(dialect.name, comments=False)})"
    if _needs_name(read, query, dialect):
        written += f" AS {read.written.alias.sql(dialect.name)}"
    command = _TABLE.search(text[: name_edit.start])
    if command is None or query is None:
        return Edit(name_edit.start, name_edit.end, written)
    # `table t` accepts no query.
    return Edit(command.start(), name_edit.end, " ".join(("select * from", written)))


def _needs_name(read: ReadTable, query: exp.Query | None, dialect: Dialect) -> bool:
    """Whether a replacement needs an alias."""
    if read.written.has_alias or query is not None:
        return not read.written.has_alias
    written, name = read.written.parts[-1], read.match.names[-1]
    if dialect.unquoted_case == "any":
        return written.name.casefold() != name.casefold()
    return folded(written, dialect) != name


def _marks(text: str, tree: exp.Expr) -> Iterator[Edit]:
    """Numbers to quote, since they are compared with masked columns."""
    for literal in tree.find_all(exp.Literal):
        start = literal.meta.get("start", -1)
        if literal.is_string and start >= 0 and text[start].isdecimal():
            yield Edit(start, literal.meta["end"] + 1, f"'{literal.name}'")


def _qualifiers(tree: exp.Expr, named: Sequence[ReadTable]) -> Iterator[Edit]:
    """Schema qualifiers of columns to remove, as tables now have aliases."""
    names = {_last_two(read) for read in named}
    for column in tree.find_all(exp.Column):
        schema, table = column.args.get("db"), column.args.get("table")
        if schema and table and (schema.name.casefold(), table.name.casefold()) in names:
            yield Edit(column.parts[0].meta["start"], table.meta["start"], "")


def _last_two(read: ReadTable) -> tuple[str, ...]:
    return tuple(part.name.casefold() for part in read.written.parts[-2:])


def _edited(text: str, edits: Iterable[Edit]) -> str:
    done = len(text)
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        if edit.end > done:
            raise refused("not_parsed", "two parts of it stand in one place")
        text, done = f"{text[: edit.start]}{edit.text}{text[edit.end :]}", edit.start
    return text


def limited(text: str, query: exp.Expr, rows: int) -> str:
    """Add or lower LIMIT; a lower or non-literal one stays."""
    if isinstance(query, exp.Subquery):
        # Parentheses may contain a limit, and Postgres rejects a second one.
        return _wrapped(text, rows)
    limit = query.args.get("limit")
    if limit is None:
        return f"{text}\nlimit {rows}"
    count = limit.args.get("count" if isinstance(limit, exp.Fetch) else "expression")
    options = limit.args.get("limit_options")
    is_whole = not options or not (options.args.get("percent") or options.args.get("with_ties"))
    if isinstance(limit, exp.Fetch) and count is None and is_whole:
        # `fetch first row only`
        return text
    is_plain = isinstance(count, exp.Literal) and not count.is_string and count.name.isdecimal()
    if not (is_plain and is_whole):
        return _wrapped(text, rows)
    if int(count.name) <= rows:
        return text
    return _edited(text, [Edit(count.meta["start"], count.meta["end"] + 1, str(rows))])


def _wrapped(text: str, rows: int) -> str:
    return f"select * from (\n{text}\n) as limited limit {rows}"  # noqa: S608 - it was judged
