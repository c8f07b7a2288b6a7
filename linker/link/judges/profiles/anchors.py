"""
What a question names for certain: enters a question with its bindings, leave the columns that may hold each name.

A word that happens to be a value somewhere binds nothing. A name does: what is quoted, what is written with a capital
inside a sentence or with digits, and runs of words that are a value letter by letter.
"""

import re
from dataclasses import dataclass

from linker.link.bindings import inside_sentence, is_name
from linker.link.question import LinkedQuestion
from linker.text.words import squashed

_FEWEST_LETTERS = 3
_MOST_ANCHORS = 3
# A value that many columns hold says nothing about which of them is meant.
_MOST_OPTIONS = 4
_TIMES = re.compile(
    r"(?:jan|febr?)(?:uary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|q[1-4](?:\s+\d{4})?",
    re.IGNORECASE,
)
_PROPER = re.compile(
    r"[\"“]([^\"“”]{2,60})[\"”]|\b((?:[A-Z\u00c0-\u00de][\w&.-]*[\w])(?:\s+(?:[A-Z\u00c0-\u00de][\w&.-]*[\w]|\d+))*)"
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A name of the question, and the columns of the ranked catalogue that may hold it, the likeliest first."""

    said: str
    columns: tuple[int, ...]


def anchors(asked: LinkedQuestion) -> tuple[Anchor, ...]:
    """The names that are values, those with the likeliest column first."""
    odds, places = asked.ranked.columns, {ref: at for at, ref in enumerate(asked.ranked.known.lexicon.refs)}
    options: dict[str, list[int]] = {}
    spelt: dict[str, str] = {}
    for binding in asked.mentions.bindings:
        is_meant = is_name(binding.said, asked.question) and not _is_time(asked, binding.said)
        if binding.ref in places and is_meant:
            options.setdefault(binding.said.casefold(), []).append(places[binding.ref])
            spelt.setdefault(binding.said.casefold(), binding.said)
    found = [
        Anchor(spelt[said], tuple(sorted(set(columns), key=lambda one: (-odds[one], one))))
        for said, columns in options.items()
        if len(set(columns)) <= _MOST_OPTIONS
    ]
    found = [one for one in found if not _is_part(one, found)]
    return tuple(sorted(found, key=lambda one: (-odds[one.columns[0]], one.said))[:_MOST_ANCHORS])


def unbound_names(asked: LinkedQuestion) -> tuple[str, ...]:
    """Names of the question that no binding holds: values that the profiles may not show."""
    bound = [binding.said.casefold() for binding in asked.mentions.bindings]
    names = asked.ranked.known.lexicon.squashed_names
    found = []
    for match in _PROPER.finditer(asked.question):
        quoted, written = match.groups()
        said = (quoted or inside_sentence(written, asked.question, match.start())).strip()
        is_bound = any(said.casefold() in one or one in said.casefold() for one in bound)
        is_column = not quoted and squashed(said) in names
        if len(said) >= _FEWEST_LETTERS and not (is_bound or is_column or _is_time(asked, said)):
            found.append(said)
    return tuple(dict.fromkeys(found))


def _is_part(one: Anchor, others: list[Anchor]) -> bool:
    """`Leipzig` inside `Leipzig distribution centre` names the same thing."""
    said = one.said.casefold()
    return any(said in other.said.casefold() and said != other.said.casefold() for other in others)


def _is_time(asked: LinkedQuestion, said: str) -> bool:
    is_part = any(said.casefold() in period.said.casefold() for period in asked.mentions.periods)
    return is_part or bool(_TIMES.fullmatch(said))
