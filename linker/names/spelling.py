"""Spelling of names: enters a name in text, leaves the form in which names are compared, and names like it."""

from collections.abc import Collection

# To compare a name with more names than this would take seconds.
_MOST_COMPARED = 5_000
_QUOTES = str.maketrans("", "", "\"`'[]")


def bare(name: str) -> str:
    """A name without quotes, empty steps and blanks around its dots: `"crm" . [orders]` is crm.orders."""
    steps = (step.strip() for step in name.translate(_QUOTES).split("."))
    return ".".join(step for step in steps if step)


def key(name: str) -> str:
    """A name as it is compared in text, where neither quotes nor case are written reliably."""
    return bare(name).casefold()


def close(name: str, names: Collection[str], most: int, likeness: float) -> list[str]:
    """The names that are most like one, from 0 (nothing alike) to 1 (equal) by at least `likeness`; best first."""
    from difflib import get_close_matches

    if len(names) > _MOST_COMPARED:
        # Somebody who nearly knows a name knows how it begins.
        start = name.rpartition(".")[2][:2]
        names = [other for other in names if other.rpartition(".")[2].startswith(start)]
    return get_close_matches(name, names, n=most, cutoff=likeness)
