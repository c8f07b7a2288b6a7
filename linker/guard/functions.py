"""
The functions that a probe may call, as the parser knows them, and words that look like functions and are none.

Which functions those are the dialect says; whatever it does not list is refused. Names are in lower case.
"""

from functools import cache

from sqlglot import exp

from linker.warehouses import dialect_of, shipped_dialects
from linker.warehouses.base.dialect import words

# Words that stand before a parenthesis and are no function, as long as nobody quotes them.
KEYWORDS = words(
    """
    all and any as at before between by case cube distinct else escape except exclude exists filter for from group
    having ilike in include intersect interval is join lateral like limit materialized not offset on or over partition
    pivot qualify recursive rename replace rollup select sets similar some tablesample then to union unpivot using
    values when where with within system bernoulli reservoir sample asof nulls unnest array row struct match_condition
    """
)
TYPES = words(
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
