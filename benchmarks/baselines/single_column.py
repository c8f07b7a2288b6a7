"""
Column by column: each is judged by a call of its own, plain or with the columns that words of the question name.

Paper: "The Death of Schema Linking?", where it is called SCSL and HySCSL. A warehouse has more columns than anybody
would pay a call for: the likeliest are asked for, and how many were not is said.
"""

from pydantic import BaseModel, ConfigDict

from benchmarks.baselines.prompting import render_prompt
from linker.link.actions import bare
from linker.link.choosing import Chosen, found_of, grounded, keyword_matches
from linker.link.linking import Finding, Linking
from linker.link.model_questions import ModelQuestions
from linker.link.question import LinkedQuestion
from linker.link.schema_view import column_line
from linker.link.views import bound_view, heading
from linker.ranking.allocation import allocate
from linker.strategies.base import Strategy
from linker.types import ColumnRef

MOST_COLUMNS = 80


class SaidColumn(BaseModel):
    """Whether one column is relevant."""

    model_config = ConfigDict(json_schema_extra=bare)

    relevant: bool


class SingleColumnStrategy(Strategy):
    """Asks once for each of the likeliest columns."""

    name = "single_column"
    needs_model = True
    has_budget = False
    is_hybrid = False

    def find(self, asked: LinkedQuestion, linking: Linking) -> Finding:
        """Every column that was called relevant, and what words name."""
        lexicon = asked.ranked.known.lexicon
        candidates = tuple(lexicon.refs[place] for place in allocate(asked.ranked, MOST_COLUMNS).columns)
        told = sum(1 + len(asked.read.siblings.get(ref.table, ())) for ref in candidates)
        if (left := asked.catalog.column_count - told) > 0:
            linking.warn(f"{left:,} columns were not asked for: one call each is made for the likeliest {MOST_COLUMNS}")
        matched = keyword_matches(asked) if self.is_hybrid else {}
        asking = ModelQuestions(linking)
        with linking.ledger.step("columns"):
            due = [ref for ref in candidates if ref not in matched]
            judged = asking.together(*(lambda ref=ref: _is_relevant(asking, asked, ref) for ref in due))
        chosen = tuple(ref for ref, is_relevant in zip(due, judged, strict=True) if is_relevant)
        if unanswered := sum(one is None for one in judged):
            linking.warn(f"{unanswered:,} of {len(due):,} columns were not judged, and are left out")
        every = Chosen(columns=tuple(dict.fromkeys((*chosen, *matched))))
        grounding = grounded(1, "column by column", every, "called relevant by the language model", matched)
        seen = (("candidates", candidates), ("chosen", every.columns))
        return found_of(asked, linking, [grounding], seen, is_voted=False)


class HybridSingleColumnStrategy(SingleColumnStrategy):
    """The same, with keyword matching."""

    name = "single_column_hybrid"
    is_hybrid = True


def _is_relevant(asking: ModelQuestions, asked: LinkedQuestion, ref: ColumnRef) -> bool | None:
    table = asked.catalog.table_by_ref[ref.table]
    siblings = asked.read.siblings.get(ref.table, ())
    prompt = render_prompt(
        "one_column",
        question=asked.question,
        bound=bound_view(asked),
        column=f"{heading(table, siblings)}\n  {column_line(asked, ref)}",
    )
    said = asking.ask("columns", prompt, SaidColumn)
    return said.relevant if said else None
