"""Reads the lines of tables and columns that prompts show: enters a line, leaves its name and what it tells."""

import re

from linker.text.words import words_of_name

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
