"""Says why a column is in the answer: enters a ranking, leaves a line of what carried it most."""

from linker.ranking.ranker import Ranked
from linker.ranking.weights import Regression
from linker.types import ValueMatch

_MOST_REASONS = 2
_LEAST_SHARE = 0.15
_HOLDS_VALUE = "holds a value of the question"
_WORDS = {
    "name": "its name is asked for",
    "path": "its path is asked for",
    "description": "its description fits",
    "values": "its values fit",
    "lexical": "its words fit",
    "lexical_rank": "its words fit",
    "lexical_in_likely": "its words fit",
    "best_word": "its words fit",
    "carries": "no column of its table fits as well",
    "carries_alone": "no other column fits as well",
    "name_said": "its name is asked for",
    "name_said_whole": "its name is asked for",
    "long_name_said": "its name is asked for",
    "said_in_likely": "its name is asked for",
    "name_span": "its name is asked for",
    "name_rank_in_table": "its name fits best in its table",
    "rank_in_table": "fits best in its table",
    "spelt": "named in the question",
    "value_hit": _HOLDS_VALUE,
    "value_hit_in_likely": _HOLDS_VALUE,
    "value_named": _HOLDS_VALUE,
    "value_named_in_likely": _HOLDS_VALUE,
    "fullness": "holds values where others are empty",
    "fullness_in_likely": "holds values where others are empty",
    "shared_key": "a key that tables share",
    "shared_key_in_likely": "a key that tables share",
    "plain_time_where_asked": "a time is asked for",
    "dense": "its meaning is near",
    "dense_rank": "its meaning is near",
    "dense_in_table": "its meaning is near",
    "dense_rank_in_table": "its meaning is near",
    "time_where_asked": "a time is asked for",
    "time_type_where_asked": "a time is asked for",
    "year_where_asked": "a time is asked for",
    "time_in_likely": "a time is asked for",
    "place_where_asked": "a place is asked for",
    "place_type_where_asked": "a place is asked for",
    "name_where_asked": "a name is asked for",
    "short_name": "names what the table is of",
    "short_name_in_likely": "names what the table is of",
    "amount_where_measured": "an amount is asked for",
    "key_where_counted": "a key, where things are counted",
    "key_in_likely": "a key of a likely table",
    "leads": "joins likely tables",
    "leads_from_likely": "joins likely tables",
    "leads_much": "joins likely tables",
}


def reason(
    ranked: Ranked, columns: Regression, column: int, table_rank: int, match: ValueMatch | None, *, is_joining: bool
) -> str:
    """Such as `table 1, its name is asked for, joins likely tables`; a value that is meant comes first."""
    told = [f"table {table_rank}"]
    if match:
        told.append(str(match))
    if is_joining:
        return f"{', '.join(told)}, joins chosen tables"
    for feature, share in columns.shares(ranked.column_features, column):
        words = _WORDS.get(feature)
        if share < _LEAST_SHARE or len(told) > _MOST_REASONS:
            break
        if words and words not in told and not (match and words == _HOLDS_VALUE):
            told.append(words)
    if len(told) == 1:
        told.append("its table is likely")
    return ", ".join(told)
