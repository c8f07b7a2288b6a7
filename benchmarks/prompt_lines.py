"""Parses table and column lines of prompts."""

import re

from linker.text.words import words_of_name

_LAST_NUMBER = re.compile(r"^(.*?)(\d+)(\D*)$")
_END_OF_NAME = re.compile(r" \(| - |: ")


def name_of(line: str) -> str:
    """The name that a line of a table begins with."""
    return _END_OF_NAME.split(line)[0].removesuffix(":")


def path_of(line: str) -> str:
    """The name that a line of a column begins with."""
    return line.split(" · ", maxsplit=1)[0].split("; ", maxsplit=1)[0].strip()


def is_near(line: str, asked: set[str]) -> bool:
    """Whether the name of a column shares a word with the question."""
    return not asked.isdisjoint(words_of_name(path_of(line)))


def is_key(line: str) -> bool:
    """Whether a column may join tables."""
    path, *told = line.split(" · ")
    return "id" in words_of_name(path) or any("key" in one or one.startswith("->") for one in told)


def names_in(text: str) -> list[str]:
    """The names of a list that is written shortly."""
    names = list[str]()
    for part in re.findall(r"[^,{]*\{[^}]*\}|[^,]+", text):
        beginning, _, ends = part.strip().removesuffix("}").partition("{")
        for end in ends.split(", ") if ends else [""]:
            names += _counted(beginning, end)
    return names


def _counted(beginning: str, end: str) -> list[str]:
    """One name, or all from the first to the last: q1, q2, q3 and q4 of `q1 … q4`."""
    first, _, last = (end or beginning).partition(" … ")
    begin = beginning if end else ""
    if not last:
        return [f"{begin}{first}".split(" -> ")[0]]
    before, number, after = _LAST_NUMBER.findall(first)[0]
    up_to = _LAST_NUMBER.findall(last)[0][1]
    return [f"{begin}{before}{each}{after}" for each in range(int(number), int(up_to) + 1)]
