"""
Parts of a statement and functions that a probe may be made of, and the refusal of any other.

These are lists of what is allowed, so that what a later version of the parser learns, or a function of somebody's own,
is refused until somebody looks at it. Calls are read from the text and not from the tree: what counts is what the
warehouse will read. Names of functions are in lower case.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import sqlglot
from sqlglot import Token, TokenType, exp

from linker.errors import GuardError
from linker.warehouses import dialect_of, shipped_dialects
from linker.warehouses.base.dialect import Dialect, words
from linker.warehouses.base.read_only import calls

_PARTS = words(
    """
    Add Adjacent Alias Aliases All Any AtIndex AtTimeZone Between BitwiseAnd BitwiseLeftShift BitwiseNot BitwiseOr
    BitwiseRightShift BitwiseXor Boolean Bracket CTE Column ColumnDef Comprehension Cube DPipe DataType DataTypeParam
    Distance Distinct Div Dot EQ Escape Except Fetch Filter From GT GTE Group GroupingSets Having HavingMax
    HistoricalData ILike Identifier IgnoreNulls In IntDiv Intersect Interval IntervalSpan Is JSON JSONExtractQuote
    JSONKeyValue JSONPath JSONPathKey JSONPathRecursive JSONPathRoot JSONPathSelector JSONPathSlice JSONPathSubscript
    JSONPathUnion JSONPathWildcard JSONValue Join Kwarg LT LTE Lambda Lateral Like Limit LimitOptions Literal Mod Mul
    NEQ Neg Not Null NullSafeEQ NullSafeNEQ Offset OnCondition Order Ordered Overlaps
    OverflowTruncateBehavior Paren Pivot PivotAlias PivotAny PropertyEQ Qualify RawString ByteString
    HexString BitString UnicodeString Heredoc National RespectNulls Rollup Select SimilarTo Slice Star Sub Subquery
    Table TableAlias TableFromRows TableSample Tuple Union UnpivotColumns Values Var Version Where Window WindowSpec
    With WithinGroup ExtendsLeft ExtendsRight
    """
)
_NAMES = {
    "Into": "`select … into`",
    "Lock": "`for update` or `for share`",
    "Parameter": "a variable",
    "Placeholder": "a parameter without a value",
    "SessionParameter": "a variable of the session",
    "Hint": "a hint",
}
# Texts that are written between quotes, or as the key of a path that is; every other text is written as it is.
_QUOTED = (
    *(exp.RawString, exp.National, exp.Heredoc, exp.UnicodeString, exp.ByteString),
    *(exp.JSONPathKey, exp.JSONPathSubscript),
)
# Functions that the parser does not know; their calls are checked by name.
_UNPARSED = (exp.Anonymous, exp.AnonymousAggFunc, exp.ParameterizedAgg)
_TABLE_DETAILS = (
    *("changes", "format", "pattern", "rows_from", "hints"),
    *("indexed", "partition", "system_time", "ordinality_"),
)
_PLAIN = re.compile(r"(?:[\w $.*+]|-(?!-))*")
# https://www.postgresql.org/docs/current/datatype-oid.html: a cast to them looks names up.
_FORBIDDEN_TYPES = frozenset({exp.DType.USERDEFINED, exp.DType.UNKNOWN, exp.DType.NAME})
# Words that stand before a parenthesis and are no function, as long as nobody quotes them.
_KEYWORDS = words(
    """
    all and any as at before between by case cube distinct else escape except exclude exists filter for from group
    having ilike in include intersect interval is join lateral like limit materialized not offset on or over partition
    pivot qualify recursive rename replace rollup select sets similar some tablesample then to union unpivot using
    values when where with within system bernoulli reservoir sample asof nulls unnest array row struct match_condition
    """
)
_TYPES = words(
    """
    bignumeric bpchar bit binary blob bytes char character dec decimal double float int integer interval map number
    numeric nvarchar object string struct text time timestamp timestampltz timestampntz timestamptz timestamp_ltz
    timestamp_ntz timestamp_tz timetz union varbinary varbit varchar array vector variant
    """
)
# Parsed functions that are written without a parenthesis, or as something else than a call.
_WITHOUT_CALL = """
    AddMonths And Anonymous AnyValue ApproxDistinct ApproxQuantile ApproxQuantiles ApproxTopK ArgMax ArgMin Array
    ArrayAgg ArrayAll ArrayAny ArrayConcat ArrayContainedBy ArrayContains ArrayContainsAll ArrayFilter ArrayOverlaps
    ArraySize ArraySlice ArrayToString AtIndex AtTimeZone BitwiseAndAgg BitwiseCount BitwiseOrAgg BitwiseXorAgg Case
    Cast Ceil Chr Coalesce Collate Columns Concat ConcatWs Contains Corr CountIf CovarPop CovarSamp CurrentDate
    CurrentDatetime CurrentTime CurrentTimestamp CurrentTimestampLTZ DPipe Date DateAdd DateDiff DateFromParts
    DateSub DateTrunc Datetime DatetimeAdd DatetimeDiff DatetimeSub DatetimeTrunc Day DayOfMonth DayOfWeek
    DayOfWeekIso DayOfYear EndsWith Exists Explode ExplodeOuter ExplodingGenerateSeries Extract FarmFingerprint
    First Flatten Float64 Floor FromBase64 GapFill GenerateDateArray GenerateSeries GenerateTimestampArray Greatest
    GroupConcat HashAgg Hex Hll Hour If Initcap Inline Interval JSONArray JSONArrayAgg JSONBContains
    JSONBContainsAllTopKeys JSONBContainsAnyTopKeys JSONBContainsTopKey JSONBExtract JSONBExtractScalar JSONCast
    JSONExtract JSONExtractArray JSONExtractScalar JSONFormat JSONKeys JSONObject JSONObjectAgg JSONTable JSONType
    JSONValueArray Last LastDay Least Length Levenshtein List Localtime Localtimestamp LogicalAnd LogicalOr Lower
    MD5 MD5Digest MakeInterval Map Median Minute Mode Month MonthsBetween NetFunc NextDay Normal Nullif Nvl2 Or
    Overlay Pad ParseDatetime ParseJSON ParseTime PercentileCont PercentileDisc Posexplode Pow Quantile Quarter Rand
    Randn RangeBucket RegexpCount RegexpExtract RegexpExtractAll RegexpILike RegexpInstr RegexpLike RegexpReplace
    RegexpSplit Round SHA SHA2 SafeDivide SafeFunc Second Soundex Space Split SplitPart StarMap StartsWith Stddev
    StrPosition StrToDate StrToTime StrToUnix StringToArray Struct StructExtract Substring Time TimeAdd TimeDiff
    TimeFromParts TimeStrToDate TimeStrToTime TimeStrToUnix TimeSub TimeToStr TimeToUnix TimeTrunc Timestamp
    TimestampAdd TimestampDiff TimestampFromParts TimestampSub TimestampTrunc ToArray ToBase64 ToChar ToDays ToMap
    ToNumber Transform Trim Trunc TryCast TsOrDsAdd TsOrDsDiff TsOrDsToDate TsOrDsToTimestamp Unhex Unicode Uniform
    UnixMicros UnixMillis UnixSeconds UnixToStr UnixToTime Unnest Upper Uuid VarMap Variance VariancePop Week
    WeekOfYear WeekStart WithinGroup Xor Year YearOfWeek Zipf
"""
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


def check_nodes(query: exp.Expr, dialect: Dialect) -> None:
    """Refuse a tree that holds a part which is not allowed."""
    for node in query.walk():
        kind = type(node).__name__
        if isinstance(node, exp.Func) and not isinstance(node, _UNPARSED):
            if kind not in parsed_kinds(dialect.name):
                raise refused("forbidden_function", f"`{_function(node, dialect)}` is not one that a probe may call")
        elif kind not in _PARTS and not isinstance(node, exp.Func):
            code = "parameter" if kind in ("Parameter", "Placeholder") else "forbidden_construct"
            raise refused(code, f"it holds {_NAMES.get(kind, f'`{node.key}`')}")
        _check_texts(node)
        _check_details(node, dialect)


def _check_texts(node: exp.Expr) -> None:
    """
    No text that is written without quotes may hold more than a word.

    The parser makes such texts of quoted names: `extract("year from now()), (select …" from now())`.
    """
    if isinstance(node, _QUOTED) or (
        isinstance(node, exp.Literal | exp.Identifier) and (node.args.get("is_string") or node.args.get("quoted"))
    ):
        return
    for value in node.args.values():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and not _PLAIN.fullmatch(text):
                raise refused("not_parsed", "it holds a quoted name where a word belongs")


def _function(node: exp.Func, dialect: Dialect) -> str:
    return node.sql(dialect.name, comments=False).partition("(")[0].lower()[:60]


def _check_details(node: exp.Expr, dialect: Dialect) -> None:
    if isinstance(node, exp.DataType) and node.this in _FORBIDDEN_TYPES:
        raise refused("forbidden_construct", "it casts to a type that is not one of the warehouse's own")
    if isinstance(node, exp.Table):
        _check_table(node, dialect)
    if isinstance(node, exp.Lateral | exp.TableFromRows) and not isinstance(node.this, exp.Query):
        _check_table_function(node.this, dialect)
    if isinstance(node, exp.CTE) and not isinstance(node.this, exp.Query | exp.Values):
        raise refused("forbidden_construct", "it names something else than a query with `with`")
    if isinstance(node, exp.From) and isinstance(node.this, exp.Literal | exp.Var | exp.Column):
        raise refused("unknown_table", "it reads something else than a table")


def _check_table(node: exp.Table, dialect: Dialect) -> None:
    """A name, or a function that gives rows; never a text, a stage, a file or a variable."""
    if not isinstance(node.this, exp.Identifier | exp.Dot | exp.Func) or (
        isinstance(node.this, exp.Dot) and node.this.find(exp.Func)
    ):
        raise refused("unknown_table", "it reads something else than a table")
    if any(not isinstance(part, exp.Identifier) for part in node.parts) and not isinstance(
        node.this, exp.Func | exp.Dot
    ):
        raise refused("unknown_table", "it reads a table whose name is not written out")
    if isinstance(node.this, exp.Func):
        _check_table_function(node.this, dialect)
    for key in _TABLE_DETAILS:
        if node.args.get(key):
            raise refused("forbidden_construct", f"it reads a table with `{key}`")


def _check_table_function(function: exp.Expr, dialect: Dialect) -> None:
    """A function in a `from` may read what its arguments name: only those that are known to take values."""
    if not isinstance(function, exp.Func):
        raise refused("unknown_table", "it reads something else than a table")
    if isinstance(function, exp.Unnest | exp.Explode | exp.Inline):
        return
    name = _function(function, dialect).strip('"`')
    if name == "table":
        for inner in function.expressions:
            _check_table_function(inner, dialect)
    elif name not in dialect.probe_functions.of_tables:
        raise refused("forbidden_function", f"`{name}` is not one that a probe may read from")


@cache
def parsed_kinds(dialect: str) -> frozenset[str]:
    """The classes of the parser that stand for what may be called in any warehouse; calls are checked once written."""
    dialects = (*shipped_dialects(), dialect_of(dialect))
    known = frozenset().union(*(allowed.probe_functions.names for allowed in dialects))
    kinds = {name for name in _WITHOUT_CALL.split() if hasattr(exp, name)}
    for name, kind in vars(exp).items():
        if isinstance(kind, type) and issubclass(kind, exp.Func) and "_sql_names" in vars(kind) | {"_sql_names": 0}:
            kinds.update({name} if not known.isdisjoint(_names(kind)) else ())
    return frozenset(kinds)


def _names(kind: type[exp.Func]) -> set[str]:
    try:
        return {name.casefold() for name in kind.sql_names()}
    except NotImplementedError:
        return set()


def check_calls(text: str, query: exp.Expr, dialect: Dialect) -> None:
    """Refuse a text that calls what is not on the list of its dialect."""
    tokens = sqlglot.tokenize(text, read=dialect.name)
    if any(token.token_type == TokenType.SEMICOLON for token in tokens):
        raise refused("not_one_statement", "it is not one statement")
    allowed, listing = dialect.probe_functions.names, Counter(_with_columns(query))
    for name, qualifiers in _called(tokens, dialect):
        if not qualifiers and listing[name.casefold()]:
            # `t(a, b)` names the columns of t: as often as the tree says, and no call beside it.
            listing[name.casefold()] -= 1
        elif name not in allowed or not _is_own(qualifiers, dialect):
            written = ".".join((*qualifiers, name))
            raise refused("forbidden_function", f"`{written}` is not one that a probe may call")


def _with_columns(query: exp.Expr) -> Iterator[str]:
    for alias in query.find_all(exp.TableAlias):
        if alias.args.get("columns") and alias.this:
            yield alias.this.name.casefold()


def _called(tokens: Sequence[Token], dialect: Dialect) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every name before a parenthesis that may be that of a function, with the names before its dots."""
    for token, before in calls(tokens):
        is_quoted = token.token_type == TokenType.IDENTIFIER
        name = dialect.called(token.text) if is_quoted else token.text.casefold()
        is_word = not is_quoted and not before
        if not (is_word and (name in _KEYWORDS or name in _TYPES or " " in name)):
            yield name, tuple(qualifier.text.casefold() for qualifier in before)


def _is_own(qualifiers: tuple[str, ...], dialect: Dialect) -> bool:
    """Compare what stands before the dots with the name spaces of the warehouse; in some it may be any value."""
    spaces = dialect.probe_functions.namespaces
    return spaces is None or all(qualifier in spaces for qualifier in qualifiers)


def refused(code: str, reason: str) -> GuardError:
    """The error for a statement that may not run."""
    return GuardError(f"a statement was refused before it ran: {reason}", hint=HINTS[code], code=code)
