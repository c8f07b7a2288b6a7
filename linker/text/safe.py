"""Text from the warehouse made safe to show: it is data, and must not break out of its line or steer a terminal."""

import re
import unicodedata

# JSON allows them in a text; a terminal may obey them.
_STEERING = re.compile("[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def one_line(text: str) -> str:
    """The text in one line, without control characters or marks that reorder what is read."""
    return " ".join(_visible(text).split())


def lines_of(text: str) -> str:
    """The text with its lines and their indent, each made safe."""
    lines = text.expandtabs(4).split("\n")
    return "\n".join(" " * (len(line) - len(line.lstrip(" "))) + one_line(line) for line in lines)


def escaped(json_text: str) -> str:
    """JSON that says the same, with the marks escaped that a terminal might obey."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text)


def _visible(text: str) -> str:
    return "".join(
        " " if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") else character for character in text
    )


def quoted(name: str) -> str:
    """A name as an SQL identifier: bare where that is safe, in double quotes elsewhere."""
    if name.isascii() and name.isidentifier() and name.islower() and name not in _RESERVED:
        return name
    return '"' + _visible(name).replace('"', '""') + '"'


# The words that DuckDB, Postgres and Snowflake reserve and that tables in the wild use as names.
_RESERVED = frozenset(
    """
    all analyse analyze and any array as asc asymmetric at between both case cast check collate column constraint
    create current_date current_time current_timestamp current_user default deferrable desc describe distinct do
    else end except exists false fetch for foreign from full grant group having in initially inner intersect into is
    join lambda lateral leading left like limit localtime natural not null offset on only or order outer pivot
    pivot_longer pivot_wider placing primary qualify references returning right row rows select show some start
    summarize symmetric table then to trailing true union unique unpivot user using values variadic when where
    window with
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
