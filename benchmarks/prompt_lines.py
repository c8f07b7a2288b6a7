"""Parses table and column lines of prompts."""

import re

from linker.text.words import words_of_name

_LAST_NUMBER = re.compile(r"^(.*?)(\d+)(\D*)$")
_END_OF_NAME = re.compile(r" \(| - |: ")
# What may come behind the name of a column: its kind, its key, what it means, or its values.
_END_OF_PATH = re.compile(r" · |, |; | unique\b| [-~]> | \[")
_VALUES = re.compile(r" \[[^\]]*\]")
_KEYS, _OTHERS = " keys: ", " also: "


def name_of(line: str) -> str:
    """The name that a line of a table begins with."""
    return _END_OF_NAME.split(line)[0].removesuffix(":")


def path_of(line: str) -> str:
    """The name that a line of a column begins with."""
    return _END_OF_PATH.split(line, maxsplit=1)[0].strip()


def is_near(line: str, asked: set[str]) -> bool:
    """Whether the name of a column shares a word with the question."""
    return not asked.isdisjoint(words_of_name(path_of(line)))


def is_key(line: str) -> bool:
    """Whether a column may join tables."""
    path = path_of(line)
    kind = line.strip().removeprefix(path).partition("; ")[0]
    return "id" in words_of_name(path) or any(mark in kind for mark in ("key", "unique", "->"))


def one_a_line(text: str) -> list[str]:
    """Lines of an overview, with one line per key; columns shown by name only are omitted."""
    lines = list[str]()
    for line in text.splitlines():
        if line.startswith(_KEYS):
            lines += [f" {key}" for key in line.removeprefix(_KEYS).split(", ")]
        elif not line.startswith(_OTHERS):
            lines.append(line)
    return lines


def columns_of(line: str) -> list[str]:
    """The columns that a line of an overview names, all of those behind `keys` or `also`."""
    for beginning in (_KEYS, _OTHERS):
        if line.startswith(beginning):
            return names_in(line.removeprefix(beginning).split(" and ")[0])
    return [path_of(line)]


def names_in(text: str) -> list[str]:
    """Names of an abbreviated list."""
    names = list[str]()
    for part in re.findall(r"[^,{]*\{[^}]*\}|[^,]+", _VALUES.sub("", text)):
        beginning, _, ends = part.strip().removesuffix("}").partition("{")
        for end in ends.split(", ") if ends else [""]:
            names += _counted(beginning, end)
    return names


def _counted(beginning: str, end: str) -> list[str]:
    """A name, or a numbered range: q1 to q4 of `q1 … q4`."""
    first, _, last = (end or beginning).partition(" … ")
    begin = beginning if end else ""
    if not last:
        return [path_of(f"{begin}{first}")]
    before, number, after = _LAST_NUMBER.findall(first)[0]
    up_to = _LAST_NUMBER.findall(last)[0][1]
    return [f"{begin}{before}{index}{after}" for index in range(int(number), int(up_to) + 1)]
