"""
LinkAlign: multi-round retrieval, isolation of irrelevant databases, extraction of columns; as a
pipeline or as discussing agents.

In each round the model reads what was retrieved and names what is missing, which retrieves further
columns.
"""

from collections.abc import Sequence
from itertools import chain

from benchmarks.baselines.composing import dropped, showing
from benchmarks.baselines.prompting import telling
from benchmarks.baselines.thinking import text_of
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.prompt_sections import View, columns_view
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy
from linker.types import ColumnRef

# By the number of columns of the warehouse: found in a round, rounds, found when all is done. The
# last is for all more.
_SIZES = (
    (50, 30, 1, 5),
    (200, 30, 2, 5),
    (350, 40, 3, 10),
    (500, 40, 5, 10),
    (1_000, 50, 5, 15),
    (5_000, 60, 7, 20),
)
_LARGEST = (70, 9, 20)
# So few columns are not sifted. So many of a round stay whatever is said of them, and fewer of
# later ones.
_FEW = 90
_STAYING = 0.55
_STAYING_LATER = 0.6
# Roles, by their number in the prompt.
_MISSING, _REWRITING, _DOUBTING, _DEFENDING, _NEEDING, _CHECKING = range(1, 7)


class LinkAlignStrategy(AskingStrategy):
    """Asks once for missing, once for irrelevant and once for needed columns."""

    name = "linkalign"
    most_rounds = 1

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        count, rounds, last = _sizes(asked.catalog.column_count)
        with linking.ledger.step("retrieval"):
            by_round = self.retrieved(choosing, count, rounds, ())
        with linking.ledger.step("isolation"):
            kept = self.isolated(choosing, by_round)
            late = self.retrieved_late(choosing, last, kept)
        view = _view(choosing, (*kept, *late))
        with linking.ledger.step("extraction"):
            chosen = choosing.columns(
                "extraction",
                view,
                hints=self.debate(choosing, view),
            )
        # What was found is not lost where nothing is extracted of it.
        needed = chosen if chosen.columns else Chosen(columns=view.columns, unknown=chosen.unknown)
        return choosing.found(view, ("extracted", needed, "extracted by the language model"))

    def retrieved(
        self, choosing: Choosing, count: int, rounds: int, seen: Sequence[ColumnRef]
    ) -> list[tuple[ColumnRef, ...]]:
        """
        The columns near the question, and in each round those near the question with what is
        missing.
        """
        by_round = [_near(choosing, "", count, seen)]
        for _ in range(min(rounds, self.most_rounds)):
            missing = self.rewritten(choosing, _view(choosing, (*seen, *chain(*by_round))))
            by_round.append(_near(choosing, missing, count, (*seen, *chain(*by_round))))
        return by_round

    def rewritten(self, choosing: Choosing, view: View) -> str:
        """What the question needs and was not found, in words to search by."""
        return _remark(choosing, "retrieval", view, _MISSING)

    def isolated(
        self, choosing: Choosing, by_round: Sequence[tuple[ColumnRef, ...]]
    ) -> tuple[ColumnRef, ...]:
        """The columns without the irrelevant ones."""
        columns = tuple(chain(*by_round))
        out = dropped(choosing, "isolation", _view(choosing, columns), telling("drop_columns"))
        return tuple(ref for ref in columns if ref not in out.columns) or columns

    def retrieved_late(
        self,
        choosing: Choosing,  # noqa: ARG002
        last: int,  # noqa: ARG002
        kept: Sequence[ColumnRef],  # noqa: ARG002
    ) -> tuple[ColumnRef, ...]:
        """Columns that come back after the isolation: none."""
        return ()

    def debate(self, choosing: Choosing, view: View) -> str:  # noqa: ARG002 - the other discusses
        """The dialogue before columns are extracted: none."""
        return ""


class LinkAlignAgentStrategy(LinkAlignStrategy):
    """Lets roles discuss each of the three steps, in as many rounds as the warehouse is large."""

    name = "linkalign_agent"
    most_rounds = 9

    def rewritten(self, choosing: Choosing, view: View) -> str:
        """What a judge misses, as an annotator puts it to the question."""
        missing = _remark(choosing, "retrieval", view, _MISSING)
        return _remark(choosing, "retrieval", view, _REWRITING, missing) or missing

    def isolated(
        self, choosing: Choosing, by_round: Sequence[tuple[ColumnRef, ...]]
    ) -> tuple[ColumnRef, ...]:
        """
        What is left after two debates; the nearest columns of each round stay whatever is said.
        """
        shares = (_STAYING * _STAYING_LATER**number for number in range(len(by_round)))
        staying = set[ColumnRef]()
        for refs, share in zip(by_round, shares, strict=True):
            staying.update(refs[: int(len(refs) * share)])
        columns = tuple(chain(*by_round))
        for _ in range(2):
            if len(columns) > _FEW:
                view = _view(choosing, columns)
                dialogue = _debate(choosing, "isolation", view, (_DOUBTING, _DEFENDING) * 2)
                out = dropped(
                    choosing, "isolation", view, telling("drop_columns", hints=dialogue)
                ).columns
                columns = tuple(ref for ref in columns if ref in staying or ref not in out)
        return columns

    def retrieved_late(
        self, choosing: Choosing, last: int, kept: Sequence[ColumnRef]
    ) -> tuple[ColumnRef, ...]:
        """What one more round finds, so that nothing is lost that was taken for irrelevant."""
        return tuple(chain(*self.retrieved(choosing, last, 1, kept)))

    def debate(self, choosing: Choosing, view: View) -> str:
        """Three agents that name needed columns, and one that checks them."""
        return _debate(choosing, "extraction", view, (_NEEDING,) * 3 + (_CHECKING,))


def _sizes(columns: int) -> tuple[int, int, int]:
    return next(
        ((count, rounds, late) for most, count, rounds, late in _SIZES if columns <= most), _LARGEST
    )


def _near(
    choosing: Choosing, missing: str, most: int, seen: Sequence[ColumnRef]
) -> tuple[ColumnRef, ...]:
    text = f"{choosing.question.question} {missing}".strip()
    hits = choosing.linking.environment.retriever.search(
        text, limit=most, excluded=tuple(seen)
    ).columns
    return tuple(
        hit.ref for hit in hits if choosing.question.catalog.find(hit.ref) and hit.ref not in seen
    )


def _view(choosing: Choosing, columns: Sequence[ColumnRef]) -> View:
    return columns_view(
        choosing.question, columns, choosing.linking.environment.settings.schema_tokens
    )


def _debate(choosing: Choosing, step: str, view: View, roles: Sequence[int]) -> str:
    remarks = list[str]()
    for speaker, role in enumerate(roles, start=1):
        remark = _remark(choosing, step, view, role, "\n".join(remarks))
        remarks.append(f"speaker {speaker}: {remark}")
    return "\n".join(remarks)


def _remark(choosing: Choosing, step: str, view: View, role: int, dialogue: str = "") -> str:
    prompt = telling("remark_on_columns", role=role, hints=dialogue)(**showing(choosing, view))
    return text_of(choosing.model, step, prompt)
