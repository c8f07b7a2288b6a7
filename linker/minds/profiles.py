"""The mind without a language model: profiles, retrieval and the join graph say what a question needs."""

from linker.asked import Asked
from linker.hypothesis import Hypothesis, Proposal
from linker.minds.base import Pick, Turn, Unknown
from linker.ranking.allocation import allocate
from linker.refinement import Refinement
from linker.types import ColumnRef, TableRef


class ProfilesMind:
    """One way to answer: the tables and columns that ranking would spend its budget on."""

    name = "profiles"

    def __init__(self, column_budget: int) -> None:
        self._column_budget = column_budget

    def propose(self, asked: Asked) -> Proposal:
        """A single way, with the joins that connect its tables."""
        refs = asked.ranked.known.lexicon.refs
        joins = allocate(asked.ranked, self._column_budget).joins
        tables = tuple(dict.fromkeys(ref.table for ref in self._columns(asked)))
        summary = f"the likeliest tables: {', '.join(map(str, tables[:4]))}"
        return Proposal((Hypothesis(1, summary, (), tables, tuple((refs[one], refs[other]) for one, other in joins)),))

    def choose_tables(
        self,
        asked: Asked,
        hypothesis: Hypothesis,
        unknown: tuple[Unknown, ...] = (),  # noqa: ARG002 - it names what exists
    ) -> tuple[Pick, ...]:
        """The tables of the way, and those of the columns that ranking would choose."""
        tables = dict.fromkeys((*hypothesis.tables, *(ref.table for ref in self._columns(asked))))
        return tuple(Pick(str(ref)) for ref in tables)

    def choose_columns(
        self,
        asked: Asked,
        hypothesis: Hypothesis,  # noqa: ARG002 - the ranking is the same in all ways
        tables: tuple[TableRef, ...],
        unknown: tuple[Unknown, ...] = (),  # noqa: ARG002 - it names what exists
    ) -> tuple[Pick, ...]:
        """The columns of these tables that ranking would choose."""
        return tuple(Pick(str(ref)) for ref in self._columns(asked) if ref.table in tables)

    def decide(self, asked: Asked, refinement: Refinement) -> Turn:  # noqa: ARG002 - it keeps everything
        """Nothing: what is undecided is kept."""
        return Turn()

    def _columns(self, asked: Asked) -> list[ColumnRef]:
        refs = asked.ranked.known.lexicon.refs
        return [refs[place] for place in allocate(asked.ranked, self._column_budget).columns]
