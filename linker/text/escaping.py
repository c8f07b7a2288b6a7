"""
Escapes untrusted text for one line, a prompt fence or a terminal.

Invisible characters are dropped from texts and written as `\u200b` in names, which must round-trip.
"""

import re
import unicodedata

from linker.errors import ConfigError
from linker.text.words import word_list

# Limit of questions and search texts.
MAX_CHARACTERS = 2_000

# Valid in JSON, but interpreted by terminals.
_STEERING = re.compile("[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
# Escapes written by `escape_invisible` and `escape_prompt`.
_SPELLED = re.compile(r"\\u([0-9a-fA-F]{4})|\\U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})")
# Angle brackets and bars, with lookalikes.
_OPEN = "<\u02c2\u1438\u2039\u2329\u276c\u276e\u27e8\u29fc\u3008\ufe64\uff1c"
_CLOSE = ">\u02c3\u1433\u203a\u232a\u276d\u276f\u27e9\u29fd\u3009\ufe65\uff1e"
_BAR = "|\u00a6\u01c0\u2223\u2502\u2758\ufe31\uff5c"
# Element types of lists within angle brackets.
_TYPES = (
    "(?:big)?numeric|bool|bytes|date|datetime|float64|geography|int64|interval|json|string|time"
    "|timestamp"
)
_MARK = re.compile(
    rf"""
    [{_OPEN}](?=
        \s*[/\\](?!\*)  # the end of a fence, or of any other tag
      | \s*data\b  # a fence, also where it is never closed
      | \s*[{_BAR}]  # a token of a chat template: <|im_start|>
      | (?!(?:{_TYPES})>) \s*[^\W\d][\w:.]*(?:-\w+)*\s*/?\s*[{_CLOSE}]  # a tag of one word: <s>
      | \s*[^\W\d][\w:.-]*\s+[\w:.-]+\s*=\s*["'\u201c\u2018]  # a tag with attributes
    )
    | \[(?=\s*/?\s*(?:INST|SYS|SYSTEM_PROMPT|(?:AVAILABLE_)?TOOL\w*)\s*\])  # [INST]
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Unicode categories of control, bidirectional and line-breaking characters.
_HIDDEN = ("Cc", "Cf", "Zl", "Zp")
_BLANKS = re.compile(r"[^\S\n]+")


def is_utf8(word: str) -> bool:
    """False if a command-line argument contained invalid bytes (surrogates)."""
    return word.encode("utf-8", "ignore").decode() == word


def check_length(text: str, what: str) -> None:
    """Reject overlong text."""
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(
            f"{what} may have at most {MAX_CHARACTERS:,} characters; this one has {len(text):,}",
            hint="ask for the one thing that matters",
        )


def one_line(text: str) -> str:
    """One line without control and bidirectional characters."""
    if not text.isprintable():
        text = "".join(" " if unicodedata.category(item) in _HIDDEN else item for item in text)
    return " ".join(text.split())


def shortened(text: str, length: int) -> str:
    """Truncate with an ellipsis."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def escape_invisible(name: object) -> str:
    r"""Invisible characters as `\u200b`; reversed by `unescape_invisible`."""
    text = str(name)
    if text.isprintable():
        return text
    return "".join(item if item.isprintable() else _written(item) for item in text)


def unescape_invisible(name: str) -> str:
    """Reverse `escape_invisible`, also for names copied from prompts."""
    return (
        _SPELLED.sub(lambda found: chr(int(found[1] or found[2], 16)), name)
        if "\\" in name
        else name
    )


def escape_prompt(text: str) -> str:
    """Neutralise fences, role markers, invisible and terminal control characters; keeps lines."""
    seen = "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)
    return unmarked(_BLANKS.sub(" ", seen))


def unmarked(text: str) -> str:
    """Neutralise tags and special tokens."""
    return _MARK.sub(lambda found: _written(found[0]), text)


def lines_of(text: str) -> str:
    """Lines with indentation, each made safe."""
    lines = text.expandtabs(4).split("\n")
    return "\n".join(" " * (len(line) - len(line.lstrip(" "))) + one_line(line) for line in lines)


def escaped(json_text: str) -> str:
    """Equivalent JSON with terminal control characters escaped."""
    return _STEERING.sub(lambda found: _written(found[0]), json_text)


def _written(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


def quoted(name: str) -> str:
    """An SQL identifier, quoted if needed."""
    if (
        name.isascii()
        and name.isidentifier()
        and name.islower()
        and name not in word_list("reserved")
    ):
        return name
    return '"' + escape_invisible(name).replace('"', '""') + '"'
