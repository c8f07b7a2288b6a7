"""Keyword matching: enters a question, leave the columns whose name or values its words name, and which words."""

import numpy as np

from linker.link.question import LinkedQuestion
from linker.text.words import words_of_name, words_of_text
from linker.types import ColumnRef

# A word that names more columns tells none of them from others.
_MOST_NAMED = 8
_MOST_MATCHES = 60


def keyword_matches(asked: LinkedQuestion) -> dict[ColumnRef, str]:
    """Columns that hold a value of the question, and those whose whole name or a rare word of it stands there."""
    found = {one.ref: one.told for one in asked.mentions.bindings}
    said = set(words_of_text(asked.question))
    lexicon = asked.ranked.known.lexicon
    named: dict[str, list[ColumnRef]] = {}
    for place in np.argsort(-asked.ranked.columns, kind="stable"):
        ref = lexicon.refs[int(place)]
        words = set(words_of_name(ref.path))
        if words and words <= said:
            found.setdefault(ref, f"the question says {ref.path}")
        for word in words & said:
            named.setdefault(word, []).append(ref)
    for word, refs in sorted(named.items(), key=lambda one: len(one[1])):
        if len(refs) <= _MOST_NAMED:
            for ref in refs:
                found.setdefault(ref, f"its name has the word {word}")
    return dict(list(found.items())[:_MOST_MATCHES])
