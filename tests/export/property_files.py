"""Generated dbt property files in every YAML style."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
MODELS = ("orders", "customers", "stores")
VISITS = "visits"
COLUMNS = ("id", "customer_id", "status", "größe")
_DESCRIPTIONS = (
    ["Words of ours"],
    ['"Quoted: words, as {these}"'],
    ["'it''s'"],
    ["''"],
    [""],
    ["|", "  one", "", "  # two is no comment", ""],
    [">-", "  one", "  two"],
    ["|+", "  one", "", ""],
    ["|-", "  one", "    ", ""],
    ["one", "  and two"],
)
_EXTRAS = (
    ("config", ["{materialized: table, tags: [daily]}"]),
    ("meta", ["", "  owner: us", "  since: 2024-01-01"]),
    ("tags", ["[nightly, 'to do']"]),
    ("quote", ["true"]),
)
_TESTS = (
    ["unique"],
    ["not_null"],
    ["dbt_utils.at_least_one"],
    ["accepted_values:", "    values: ['a', \"b\"]"],
    ["not_null: {config: {severity: warn}}"],
    ["name: keys", "test_name: unique"],
)
_OWN_LINE = re.compile(r"\s*#.?comment \d")
_FLOW_TESTS = (
    "unique",
    "not_null",
    "{accepted_values: {values: [a, b]}}",
    "'dbt_utils.at_least_one'",
)


@dataclass(frozen=True)
class PropertyFile:
    """A file, whether dbt reads all of it, and whether it uses anchors."""

    text: str
    is_read_in_part: bool
    is_sharing: bool


class _Hand:
    """A writer of YAML files: consistent indents, random comments and blank lines."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.step = self.one_of([2, 4])
        self.offset = self.one_of([self.step, 0])
        self.dash = "-".ljust(self.one_of([2, self.step]))
        self.tests_key = self.one_of(["data_tests", "tests"])
        self.is_sharing = self.does(2)
        self.comments = 0
        self.anchors: dict[str, list[str]] = {"column": [], "columns": [], "tests": []}

    def one_of(self, values: Sequence[T]) -> T:
        return self.draw(st.sampled_from(values))

    def some_of(self, values: Sequence[T]) -> list[T]:
        return [value for value in values if self.does(5)]

    def does(self, tenths: int) -> bool:
        return self.draw(st.integers(1, 10)) > 10 - tenths

    def comment(self) -> str:
        self.comments += 1
        return f"#{self.one_of([' ', '', chr(9)])}comment {self.comments}: ü\tto-do"

    def gap(self) -> list[str]:
        """The text between two lines."""
        if not self.does(1):
            return []
        return self.one_of([[""], [self.comment()], ["", self.comment()]])

    def anchor(self, kind: str) -> str:
        """An anchor for a value, for references elsewhere."""
        if not (self.is_sharing and self.does(5)):
            return ""
        name = f"{kind}{len(self.anchors[kind])}"
        self.anchors[kind].append(name)
        return f"&{name}"

    def alias(self, kind: str) -> str:
        return f"*{self.one_of(self.anchors[kind])}" if self.anchors[kind] and self.does(5) else ""

    def mapping(self, pairs: Sequence[tuple[str, list[str]]]) -> list[str]:
        lines: list[str] = []
        for key, value in pairs:
            written = f'"{key}"' if self.does(1) else key
            comment = f"  {self.comment()}" if self.does(1) and len(value) == 1 else ""
            lines += [
                *(self.gap() if lines else []),
                f"{written}: {value[0]}".rstrip() + comment,
                *value[1:],
            ]
        return lines

    def sequence(self, items: Sequence[list[str]], anchor: str = "") -> list[str]:
        if not items:
            return [self.one_of(["[]", ""])]
        lines: list[str] = []
        for item in items:
            is_lone = self.does(1) and not item[0].startswith("&")
            pad = "  " if is_lone else " " * len(self.dash)
            first = ["-", f"{pad}{item[0]}"] if is_lone else [f"{self.dash}{item[0]}"]
            lines += [*self.gap(), *first, *(pad + line if line else "" for line in item[1:])]
        return [anchor, *(" " * self.offset + line if line else "" for line in lines)]

    def flow_list(self, items: Sequence[str], anchor: str = "") -> list[str]:
        start = f"{anchor} [".lstrip()
        if not items or self.does(6):
            pad = self.one_of(["", " "])
            return [f"{start}{pad}{', '.join(items)}{',' if items and self.does(1) else ''}{pad}]"]
        last = self.one_of([",", "", f" {self.comment()}", f", {self.comment()}"])
        return [start, *(f"    {item}," for item in items[:-1]), f"    {items[-1]}{last}", "  ]"]

    def flow_mapping(self, pairs: Sequence[tuple[str, str]]) -> str:
        quote, pad = self.one_of(["", '"']), self.one_of(["", " "])
        written = ", ".join(f"{quote}{key}{quote}: {value}" for key, value in pairs)
        return f"{{{pad}{written}{',' if self.does(1) else ''}{pad}}}"

    def tests(self) -> list[str]:
        if alias := self.alias("tests"):
            return [alias]
        anchor = self.anchor("tests")
        if self.does(4):
            return self.flow_list(self.some_of(_FLOW_TESTS), anchor)
        items = self.some_of(_TESTS)
        return self.sequence(items, anchor if items else "")

    def column(self, name: str) -> list[str]:
        written = self.one_of([name, f"'{name}'", name.upper()])
        if alias := self.alias("column"):
            pairs = [("<<", [alias]), ("name", [written])]
            return self.mapping([*pairs, (self.tests_key, self.tests())] if self.does(3) else pairs)
        if self.does(2):
            flow = [("name", written), ("description", self.one_of(["''", "ours"]))][
                : self.one_of([1, 2])
            ]
            tests = self.one_of(["", "[]", "[ unique ]", "[not_null,]"])
            return [self.flow_mapping([*flow, (self.tests_key, tests)] if self.does(5) else flow)]
        anchor = self.anchor("column")
        lines = self.mapping([("name", [written]), *self.described(), *self.tested()])
        return [anchor, *lines] if anchor else lines

    def described(self) -> list[tuple[str, list[str]]]:
        described = [("description", self.one_of(_DESCRIPTIONS))] if self.does(5) else []
        return [*described, *([self.one_of(_EXTRAS)] if self.does(2) else [])]

    def tested(self) -> list[tuple[str, list[str]]]:
        return [(self.tests_key, self.tests())] if self.does(6) else []

    def columns(self) -> list[str]:
        if alias := self.alias("columns"):
            return [alias]
        names = self.some_of(COLUMNS)
        if self.does(2):
            return self.flow_list([self.flow_mapping([("name", name)]) for name in names])
        anchor = self.anchor("columns") if names else ""
        return self.sequence([self.column(name) for name in names], anchor)

    def table(self, name: str) -> list[str]:
        pairs = [("name", [self.one_of([name, f'"{name}"'])]), *self.described()]
        if self.does(7):
            pairs.append(("columns", self.columns()))
        if self.does(2):
            pairs = pairs[::-1]
        return self.mapping(pairs)

    def source(self) -> list[str]:
        tables = self.sequence([self.table(name) for name in self.some_of([VISITS, "stops"])])
        return self.mapping(
            [("name", ["raw"]), *self.described(), ("schema", ["landing"]), ("tables", tables)]
        )

    def section(self, kind: str) -> list[str]:
        if kind == "version":
            return ["2"]
        if kind == "models":
            return self.sequence([self.table(name) for name in self.some_of(MODELS)])
        if kind == "sources":
            return self.sequence([self.source()])
        return self.sequence([["name: report", "type: dashboard", "owner: {name: us}"]])


@st.composite
def property_files(draw: st.DrawFn) -> PropertyFile:
    hand = _Hand(draw)
    if hand.does(1):
        return PropertyFile(
            hand.one_of(["", "\n", "# nothing yet\n", "# nothing\r\n\r\n"]), False, False
        )
    kinds = draw(st.permutations(["models", *hand.some_of(["version", "sources", "exposures"])]))
    sections = [(kind, hand.section(kind)) for kind in kinds]
    is_read_in_part = hand.does(1)
    if is_read_in_part:
        sections.append(hand.one_of([("models", ["[{name: stores}]"]), ("---\nmodels", ["[]"])]))
    lines = [*hand.gap(), *hand.mapping(sections)]
    if hand.does(1):
        lines = ["---", *lines, *hand.gap(), "..."]
    if hand.does(1):
        # Commented-out lines may have other indents.
        lines = [line.lstrip() if _OWN_LINE.match(line) else line for line in lines]
    text = "\n".join([*lines, *hand.gap()]) + hand.one_of(["\n", "", "\n\n"])
    return PropertyFile(
        text.replace("\n", hand.one_of(["\n", "\r\n"])), is_read_in_part, hand.is_sharing
    )
