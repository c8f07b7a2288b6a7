"""
Names of a question that are values: enters a question with its bindings, leave the columns that may hold each.

A word that happens to be a value somewhere binds nothing. A name does: what is quoted, what is written with a capital
inside a sentence or with digits, and runs of words that are a value letter by letter.
"""

import re
from dataclasses import dataclass

from linker.link.question import LinkedQuestion, inside_sentence, is_name
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

    name: str
    columns: tuple[int, ...]


def anchors(question: LinkedQuestion) -> tuple[Anchor, ...]:
    """The names that are values, those with the likeliest column first."""
    odds, places = question.ranked.columns, {ref: at for at, ref in enumerate(question.ranked.known.lexicon.refs)}
    options: dict[str, list[int]] = {}
    spelt: dict[str, str] = {}
    for binding in question.mentions.bindings:
        is_meant = is_name(binding.said, question.question) and not _is_time(question, binding.said)
        if binding.ref in places and is_meant:
            options.setdefault(binding.said.casefold(), []).append(places[binding.ref])
            spelt.setdefault(binding.said.casefold(), binding.said)
    found = [
        Anchor(spelt[name], tuple(sorted(set(columns), key=lambda column: (-odds[column], column))))
        for name, columns in options.items()
        if len(set(columns)) <= _MOST_OPTIONS
    ]
    found = [anchor for anchor in found if not _is_part(anchor, found)]
    return tuple(sorted(found, key=lambda anchor: (-odds[anchor.columns[0]], anchor.name))[:_MOST_ANCHORS])


def unbound_names(question: LinkedQuestion) -> tuple[str, ...]:
    """Names of the question that no binding holds: values that the profiles may not show."""
    bound = [binding.said.casefold() for binding in question.mentions.bindings]
    names = question.ranked.known.lexicon.squashed_names
    found = []
    for match in _PROPER.finditer(question.question):
        quoted, written = match.groups()
        name = (quoted or inside_sentence(written, question.question, match.start())).strip()
        is_bound = any(name.casefold() in text or text in name.casefold() for text in bound)
        is_column = not quoted and squashed(name) in names
        if len(name) >= _FEWEST_LETTERS and not (is_bound or is_column or _is_time(question, name)):
            found.append(name)
    return tuple(dict.fromkeys(found))


def _is_part(anchor: Anchor, others: list[Anchor]) -> bool:
    """`Leipzig` inside `Leipzig distribution centre` names the same thing."""
    name = anchor.name.casefold()
    return any(name in other.name.casefold() and name != other.name.casefold() for other in others)


def _is_time(question: LinkedQuestion, name: str) -> bool:
    is_part = any(name.casefold() in period.said.casefold() for period in question.mentions.periods)
    return is_part or bool(_TIMES.fullmatch(name))
