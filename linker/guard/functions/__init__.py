"""What a probe may call, warehouse by warehouse. Whatever is not listed is refused. Names are in lower case."""

from functools import cache

from sqlglot import exp

from linker.guard.functions import bigquery, duckdb, postgres, snowflake

_MODULES = {"bigquery": bigquery, "duckdb": duckdb, "postgres": postgres, "snowflake": snowflake}
FUNCTIONS = {dialect: frozenset(module.NAMES.split()) for dialect, module in _MODULES.items()}
TABLE_FUNCTIONS = {dialect: frozenset(module.TABLES.split()) for dialect, module in _MODULES.items()}
# What may stand before the dots of a call; in DuckDB any value, on which a function is called as a method.
NAMESPACES: dict[str, frozenset[str] | None] = {
    "bigquery": frozenset({"safe", "net", "hll_count"}),
    "duckdb": None,
    "postgres": frozenset({"pg_catalog"}),
    "snowflake": frozenset(),
}
# Words that stand before a parenthesis and are no function, as long as nobody quotes them.
KEYWORDS = frozenset(
    """
    all and any as at before between by case cube distinct else escape except exclude exists filter for from group
    having ilike in include intersect interval is join lateral like limit materialized not offset on or over partition
    pivot qualify recursive rename replace rollup select sets similar some tablesample then to union unpivot using
    values when where with within system bernoulli reservoir sample asof nulls unnest array row struct match_condition
    """.split()
)
TYPES = frozenset(
    """
    bignumeric bpchar bit binary blob bytes char character dec decimal double float int integer interval map number
    numeric nvarchar object string struct text time timestamp timestampltz timestampntz timestamptz timestamp_ltz
    timestamp_ntz timestamp_tz timetz union varbinary varbit varchar array vector variant
    """.split()
)
# Parsed functions that are written without a parenthesis, or as something else than a call.
_WITHOUT_CALL = """
    And Or Xor Case If Cast TryCast JSONCast CurrentDate CurrentTimestamp CurrentTime CurrentDatetime Localtime
    Localtimestamp CurrentTimestampLTZ Explode ExplodeOuter Posexplode Inline Unnest Array List Map VarMap Struct StructExtract ToMap
    JSONExtract JSONExtractScalar JSONBExtract JSONBExtractScalar JSONBContains JSONBContainsAnyTopKeys
    JSONBContainsAllTopKeys JSONBContainsTopKey ArrayContainsAll ArrayContainedBy ArrayOverlaps RegexpLike RegexpILike Columns Exists
    SafeFunc NetFunc GenerateSeries ExplodingGenerateSeries TsOrDsAdd TsOrDsDiff TsOrDsToDate TsOrDsToTimestamp TimeToStr StrToTime
    StrToDate DateAdd DateSub DateDiff TimestampAdd TimestampSub TimestampTrunc DatetimeTrunc DateTrunc UnixToTime
    ArrayAgg GroupConcat Pow SafeDivide Collate AtTimeZone Flatten ArrayConcat ArraySize ArraySlice ArrayFilter
    Transform Interval Levenshtein StrPosition Substring VariancePop Variance Stddev Quantile ApproxQuantile ApproxQuantiles
    ApproxTopK ApproxDistinct CountIf LogicalAnd LogicalOr AnyValue ArgMax ArgMin First Last Length
    JSONObject JSONArray JSONFormat ParseJSON JSONTable JSONObjectAgg JSONArrayAgg JSONType JSONKeys
    StarMap ArrayAny ArrayAll ArrayContains ArrayToString StringToArray Split SplitPart Date Time Timestamp
    Datetime DateFromParts TimestampFromParts TimeFromParts TimeStrToDate TimeStrToTime TimeStrToUnix Extract ToChar
    ToNumber SHA SHA2 MD5 MD5Digest RegexpExtract RegexpExtractAll RegexpReplace RegexpInstr RegexpCount RegexpSplit
    Unicode UnixSeconds UnixMillis UnixMicros UnixToStr TimeToUnix StrToUnix Hex Unhex ToBase64 FromBase64 Rand Uuid
    GenerateDateArray GenerateTimestampArray StartsWith EndsWith Contains Greatest Least Coalesce Nvl2 Nullif
    PercentileCont PercentileDisc WithinGroup ToArray ToDays Overlay Trim Pad Lower Upper Initcap Concat ConcatWs
    BitwiseAndAgg BitwiseOrAgg BitwiseXorAgg BitwiseCount Chr Median Mode DPipe JSONExtractArray JSONValueArray
    LastDay MonthsBetween AddMonths NextDay DayOfWeek DayOfWeekIso DayOfMonth DayOfYear WeekOfYear Week WeekStart Month Year Day
    Hour Minute Second Quarter YearOfWeek DatetimeAdd DatetimeSub DatetimeDiff TimeAdd TimeSub TimeDiff TimestampDiff
    TimeTrunc ParseTime ParseDatetime Corr CovarSamp CovarPop GapFill MakeInterval HashAgg Hll Randn Zipf Uniform
    Normal Float64 FarmFingerprint RangeBucket Soundex Space Round Trunc Floor Ceil Anonymous AtIndex
"""


@cache
def parsed_kinds() -> frozenset[str]:
    """The classes of the parser that stand for what may be called in any warehouse; calls are checked once written."""
    known = frozenset().union(*FUNCTIONS.values())
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
