"""
Lock rules of the stepwise flow: why a discard is refused, if it is.

Items that most hypotheses need are locked, kept items stay, and the reason must refer to the item.
"""

import re

from linker.linking.linking_state import Refinement
from linker.types import Ref

MAX_TURNS = 8
_WORD = re.compile(r"[^\W\d_]{2,}")
_MIN_WORDS = 3
# What does not lie in the meaning of the item: silence of the question, another column like it, a
# feeling.
_NO_REASON = re.compile(
    r"\b(?:not|never|isn't|n't)\s+(?:\w+\s+)?(?:mention|ask|name|refer|say|said)\w*"
    r"|\b(?:redundant|duplicate)\b|\balready\s+cover|\b(?:probably|likely|maybe)\s+(?:not|un)"
    r"|^\W*(?:it is |it's )?(?:not|un)\s*-?(?:needed|required|necessary|relevant|used)\W*$",
    re.IGNORECASE,
)
_REFUSED = {
    "required": "is locked: most ways to answer need it",
    "kept": "was kept before, and stays",
    "discarded": "was discarded before",
}


def refusal(state: Refinement, ref: Ref, reason: str) -> str:
    """Why an item must not be discarded; empty if it may be."""
    if (status := state.status_of(ref)) in _REFUSED:
        return f"{ref} {_REFUSED[status]}"
    if len(_WORD.findall(reason)) < _MIN_WORDS:
        return "a discard needs a reason: what the item is, and why no answer can need it"
    if _NO_REASON.search(reason):
        return (
            "that the question is silent, or that another column is like it, is no reason: say "
            "what the item is"
        )
    return ""
