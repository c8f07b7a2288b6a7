"""
Family detection on generated names, against their generator.

The generator follows decision record 5: it composes names and never parses them.
"""

import string
from dataclasses import dataclass
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.families import COLUMNS, OTHER_COLUMNS, Merged, Merging, same_columns

# What the rules give a meaning of its own, before a number, after one or instead of one.
PIECES = (
    "batch",
    "bucket",
    "chunk",
    "fragment",
    "part",
    "partition",
    "shard",
    "slice",
    "split",
    "stripe",
)
GRADES = (
    "adm",
    "admin",
    "depth",
    "gen",
    "generation",
    "grade",
    "layer",
    "level",
    "lvl",
    "phase",
    "rank",
    "res",
    "resolution",
    "stage",
    "step",
    "tier",
    "zoom",
    "category",
    "class",
    "kind",
    "model",
    "option",
    "plan",
    "scenario",
    "type",
    "variant",
    "days",
    "hours",
    "mins",
    "minutes",
    "months",
    "weeks",
    "first",
    "last",
    "next",
    "past",
    "top",
    "trailing",
    "grch",
    "hg",
    "http",
    "icd",
    "ipv",
    "isic",
    "iso",
    "naics",
    "nuts",
    "pm",
    "sic",
    "utf",
    "central",
    "east",
    "north",
    "northeast",
    "northwest",
    "south",
    "southeast",
    "southwest",
    "west",
)
UNITS = (
    "d",
    "day",
    "days",
    "h",
    "hour",
    "hours",
    "hr",
    "hrs",
    "km",
    "m",
    "meter",
    "meters",
    "mi",
    "min",
    "mins",
    "minute",
    "minutes",
    "mm",
    "month",
    "months",
    "pct",
    "percent",
    "week",
    "weeks",
    "y",
    "year",
    "years",
    "yr",
)
VERSIONS = ("v", "ver", "version", "r", "rel", "release", "rev", "revision")
NAMED = ("din", "ean", "iec", "iso", "model", "room", "sku")
MEANINGFUL = {*PIECES, *GRADES, *UNITS, *VERSIONS, *NAMED, "yrs", "chr", "chrom", "chromosome"}

DATE_FORMATS = {
    "second": ("%Y%m%d%H%M%S", "%Y%m%d_%H%M%S", "%Y-%m-%dT%H%M%S"),
    "minute": ("%Y%m%d%H%M", "%Y%m%d_%H%M", "%Y_%m_%d_%H%M"),
    "hour": ("%Y%m%d%H", "%Y%m%d_%H", "%Y_%m_%d_%H"),
    "day": ("%Y%m%d", "%Y_%m_%d", "%Y-%m-%d"),
    "month": ("%Y%m", "%Y_%m", "%Y-%m"),
    "quarter": ("%Yq{quarter}", "%Y_q{quarter}", "%Y-Q{quarter}"),
    "year": ("%Y",),
}
# To plan the statements of a merge takes longer than to merge hundreds of tables.
few_merges = settings(max_examples=3, deadline=None)
GAPS = st.sampled_from(["_", "-", ".", " ", "__"])


@dataclass(frozen=True)
class Keys:
    """Keys of one family, oldest first, as in the names; `kind` is None for no family."""

    kind: str | None
    texts: tuple[str, ...]
    may_touch_the_word: bool = False


@dataclass(frozen=True)
class Names:
    """Names that differ in their keys only."""

    keys: Keys
    before: str
    after: str

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(f"{self.before}{key}{self.after}" for key in self.keys.texts)


def written(moment: datetime, form: str) -> str:
    return moment.strftime(form).format(quarter=(moment.month + 2) // 3)


@st.composite
def dates(draw: st.DrawFn) -> Keys:
    kind = draw(st.sampled_from(sorted(DATE_FORMATS)))
    form = draw(st.sampled_from(DATE_FORMATS[kind]))
    start = draw(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2080, 1, 1)))
    steps = {
        "second": 1,
        "minute": 60,
        "hour": 3600,
        "day": 86_400,
        "month": 31 * 86_400,
        "quarter": 92 * 86_400,
    }
    step = timedelta(seconds=steps.get(kind, 366 * 86_400))
    places = sorted(draw(st.sets(st.integers(0, 18), min_size=2, max_size=8)))
    texts = tuple(dict.fromkeys(written(start + place * step, form) for place in places))
    return Keys(kind, texts, may_touch_the_word=True)


@st.composite
def numbers(draw: st.DrawFn) -> Keys:
    """Numbers of their own. They stay under 1900, where years begin."""
    width = draw(st.sampled_from([0, 0, 3]))
    values = sorted(
        draw(st.sets(st.integers(0, draw(st.sampled_from([12, 99, 1800]))), min_size=2, max_size=8))
    )
    texts = tuple(f"{value:0{width}}" for value in values)
    is_padded = any(len(text) > 1 and text.startswith("0") for text in texts)
    lie_close = 10 <= values[-1] < values[0] + 10 * len(values)
    is_family = is_padded or lie_close or values[0] >= 100 or len(values) >= 5
    return Keys("number" if is_family else None, texts)


@st.composite
def hashes(draw: st.DrawFn) -> Keys:
    length = draw(st.sampled_from([8, 12, 32, 40]))
    digits = st.text("0123456789abcdef", min_size=length - 2, max_size=length - 2)
    return Keys(
        "hash",
        tuple(sorted(draw(st.sets(digits.map(lambda text: f"7{text}e"), min_size=2, max_size=5)))),
    )


words = st.text(string.ascii_lowercase, min_size=3, max_size=8).filter(
    lambda word: word not in MEANINGFUL and not word.endswith(("fy", "v"))
)


@st.composite
def names(draw: st.DrawFn, keys: st.SearchStrategy[Keys]) -> Names:
    drawn = draw(keys)
    before = draw(st.lists(words, max_size=3))
    after = draw(st.lists(words, min_size=0 if before else 1, max_size=2))
    gap = draw(GAPS)
    prefix = "".join(word + gap for word in before)
    if before and drawn.may_touch_the_word and draw(st.booleans()):
        prefix = prefix.removesuffix(gap)
    return Names(drawn, prefix, "".join(gap + word for word in after))


any_keys = st.one_of(dates(), numbers(), hashes())


def assert_families(merged: Merged, schema: str, expected: list[Names]) -> None:
    """The families of the schema are exactly the generated ones."""
    made = {
        (
            f"{one.before}*{one.after}",
            one.keys.kind,
            one.keys.texts[0],
            one.keys.texts[-1],
            one.all,
            one.all[-1],
        )
        for one in expected
        if one.keys.kind
    }
    assert made == {
        (
            family.name,
            family.key_kind,
            family.first_key,
            family.last_key,
            family.members,
            family.representative,
        )
        for family in merged.families
        if family.schema == schema
    }


def unlike(batch: list[Names]) -> list[Names]:
    """Those whose names cannot be taken for names of another in the batch: no two share a word."""
    seen: set[str] = set()
    kept = []
    for one in batch:
        letters = "".join(
            character if character.isalpha() else " " for character in one.before + " " + one.after
        )
        if not seen & set(letters.split()):
            kept.append(one)
            seen |= set(letters.split())
    return kept


@few_merges
@given(batch=st.lists(names(any_keys), min_size=50, max_size=60))
def test_a_stem_and_keys_of_a_kind_are_one_family(merging: Merging, batch: list[Names]) -> None:
    merged = merging.schemas(
        {f"s{number}": same_columns(one.all) for number, one in enumerate(batch)}
    )
    for number, one in enumerate(batch):
        assert_families(merged, f"s{number}", [one])


@few_merges
@given(
    batch=st.lists(names(any_keys), min_size=25, max_size=40), loners=st.sets(words, max_size=20)
)
def test_families_and_strangers_with_the_same_columns_keep_apart(
    merging: Merging, batch: list[Names], loners: set[str]
) -> None:
    mixed = unlike(batch)
    merged = merging.tables(same_columns([*(name for one in mixed for name in one.all), *loners]))
    assert_families(merged, "main", mixed)
    for loner in loners:
        assert merged.logical_names["main", loner] == loner


@st.composite
def at_the_word(draw: st.DrawFn) -> Names:
    values = sorted(draw(st.sets(st.integers(0, 12), min_size=2, max_size=8)))
    runs = (
        len(values) > 2
        and values[0] <= 1
        and values == list(range(values[0], values[0] + len(values)))
    )
    keys = Keys("number" if runs else None, tuple(str(value) for value in values))
    return Names(keys, draw(words), draw(st.sampled_from(["", "_raw"])))


@st.composite
def pieces(draw: st.DrawFn) -> Names:
    values = sorted(draw(st.sets(st.integers(0, 1800), min_size=2, max_size=8)))
    keys = Keys("shard", tuple(str(value) for value in values))
    return Names(
        keys, f"{draw(words)}_{draw(st.sampled_from(PIECES))}{draw(st.sampled_from(['', '_']))}", ""
    )


@st.composite
def not_pieces(draw: st.DrawFn) -> Names:
    """Consecutive numbers that name different things."""
    stem, start = draw(words), draw(st.integers(1, 20))
    keys = Keys(
        None, tuple(str(number) for number in range(start, start + draw(st.integers(2, 6))))
    )
    return draw(
        st.sampled_from([
            Names(keys, f"{stem}_{draw(st.sampled_from(GRADES))}_", ""),
            Names(keys, f"{stem}_{draw(st.sampled_from(VERSIONS))}", ""),
            Names(keys, f"{stem}_{draw(st.sampled_from(VERSIONS))}2_", f"_{stem}"),
            Names(keys, f"{stem}_", f"_{draw(st.sampled_from(UNITS))}"),
            Names(keys, "", ""),
        ])
    )  # fmt: skip


@few_merges
@given(batch=st.lists(st.one_of(at_the_word(), pieces(), not_pieces()), min_size=50, max_size=60))
def test_the_word_at_a_number_says_whether_it_counts_pieces(
    merging: Merging, batch: list[Names]
) -> None:
    merged = merging.schemas(
        {f"s{number}": same_columns(one.all) for number, one in enumerate(batch)}
    )
    for number, one in enumerate(batch):
        assert_families(merged, f"s{number}", [one])


@few_merges
@given(
    batch=st.lists(
        st.tuples(names(dates()), st.lists(st.booleans(), min_size=8, max_size=8)),
        min_size=8,
        max_size=12,
    )
)
def test_where_columns_differ_the_families_do_and_the_newest_keeps_the_name(
    merging: Merging, batch: list[tuple[Names, list[bool]]]
) -> None:
    columns = [columns_of(made, choices) for made, choices in batch]
    merged = merging.schemas({f"s{number}": one for number, one in enumerate(columns)})
    for number, (made, _) in enumerate(batch):
        found = {
            (family.name, family.members)
            for family in merged.families
            if family.schema == f"s{number}"
        }
        assert found == families_by_columns(made, columns[number])


def columns_of(made: Names, choices: list[bool]) -> dict[str, str]:
    """The tables of these names, some with other columns."""
    chosen = [OTHER_COLUMNS if other else COLUMNS for other in choices]
    return dict(zip(made.all, chosen, strict=False))


def families_by_columns(made: Names, columns: dict[str, str]) -> set[tuple[str, tuple[str, ...]]]:
    """The names and members of the families that these tables are."""
    expected = {}
    for shape in (COLUMNS, OTHER_COLUMNS):
        pairs = zip(made.all, made.keys.texts, strict=True)
        members = [(name, key) for name, key in pairs if columns[name] == shape]
        if len(members) > 1:
            expected[members[-1][1]] = members
    newest = max(expected, key=list(made.keys.texts).index, default=None)
    named = set()
    for last, members in expected.items():
        keys = "*" if last == newest else f"{members[0][1]}..{last}"
        named.add((f"{made.before}{keys}{made.after}", tuple(name for name, _ in members)))
    return named


@settings(max_examples=8, deadline=None)
@given(found=st.sets(st.text("abpvV0123_-. é", min_size=1, max_size=12), min_size=8, max_size=40))
def test_whatever_the_names_are_every_table_has_one_logical_name_and_every_family_one_representative(
    merging: Merging, found: set[str]
) -> None:
    apart = list({name.casefold(): name for name in found}.values())
    merged = merging.names(*apart)
    assert set(merged.logical_names) == {("main", name) for name in apart}
    listed = [name for family in merged.families for name in family.members]
    assert len(listed) == len(set(listed))
    assert all(len(family.members) > 1 for family in merged.families)
    standing = {name for _, name in merged.representatives}
    assert standing == {name for name in apart if name not in listed} | {
        str(family.representative) for family in merged.families
    }
    # Siblings are the logical tables: all of these have the same columns.
    logical = sorted(set(merged.logical_names.values()))
    assert [list(siblings.members) for siblings in merged.siblings] == (
        [logical] if len(logical) > 1 else []
    )
    for family in merged.families:
        if family.name.count("*") == 1:
            first, last = (
                family.name.replace("*", str(key)) for key in (family.first_key, family.last_key)
            )
            assert (first.lower(), last) == (family.members[0].lower(), family.members[-1])
