"""
AutoLink: an agent that starts from retrieved columns and expands the schema turn by turn.

Five actions: explore rows, retrieve columns, verify a query, add items, stop. Actions and errors
are answered in text, and earlier turns are shown within a size limit.

Paper: "AutoLink: Autonomous Schema Exploration and Expansion for Scalable Schema Linking".
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from linker.catalog.warehouse import PROBE_ROWS
from linker.errors import BudgetExceeded, GuardError, WarehouseError
from linker.identifiers.resolver import Unknown
from linker.linking.actions import (
    AGENT_TOOLS,
    Action,
    Add,
    AnyAgentAction,
    Explore,
    Malformed,
    Reply,
    Retrieve,
    Stop,
    Verify,
)
from linker.linking.column_selection_prompt import one_per_group, placed, to_strategy_result
from linker.linking.linking import LinkSession, ModelQuestions, StrategyResult
from linker.linking.linking_state import ActionResult
from linker.linking.prompt_sections import bound_view, columns_view, names_view
from linker.linking.tools import MAX_CELLS, Toolbox, cells
from linker.linking.value_linking import LinkedQuestion
from linker.models import Prompt, estimate_tokens
from linker.prompts import render_prompt
from linker.sql_analysis.statements import used_by
from linker.strategies import AskingStrategy
from linker.text.numbers import counted
from linker.text.words import readable
from linker.types import Catalog, ColumnRef, Record, Ref
from linker.warehouses import Row

if TYPE_CHECKING:
    from linker.sql_policy.guard import Probe

_QUERY_SECONDS = 120
# Rows may be fast where counting takes minutes.
_COUNT_SECONDS = 5
# Columns per search; the best may be one column of many duplicates.
_RETRIEVED = 3
_LOOKED_THROUGH = 12
_TOKENS_OF_COLUMNS = 600
_LONGEST_ERROR = 400

_TOKENS = 3_000
_TOKENS_OF_OUTCOME = 400
_LONGEST_THOUGHT = 600
_LONGEST_ACTION = 300
_SHORT_ACTION = 80
_NOT_SAID = ("tool", "reason", "problem")

MAX_TURNS = 10
_MAX_OF_SMALL = 300
_INITIAL_OF_SMALL = 30
_INITIAL_OF_LARGE = 100
_MAX_ACTIONS = 8
_LINKED_TOKENS = 4_000


class Explorer:
    """Actions on one question; `seen` are columns already returned."""

    def __init__(
        self, question: LinkedQuestion, linking: LinkSession, step: str, seen: Iterable[ColumnRef]
    ) -> None:
        self._question, self._names, self._sources = question, linking.names, linking.environment
        self._tools = Toolbox(question, linking, step)
        self.seen = dict.fromkeys(seen)

    def explore(self, sql: str) -> tuple[str, bool]:
        """First rows of a query, with total and duration, or the error."""
        if not self._sources.warehouse.is_profiled:
            return "[error: there are no rows that could be queried]", False
        try:
            return self._observed(sql), True
        except GuardError as error:
            what = f"refused ({error.code}): {error.what}; {error.hint}"
        except (BudgetExceeded, WarehouseError) as error:
            what = readable(error.what)[:_LONGEST_ERROR]
        return f"[error: {what}]", False

    def retrieve(self, like: str) -> tuple[str, bool]:
        """The next columns near a text, each only once."""
        excluded = dict.fromkeys(chain.from_iterable(map(self._copies, self.seen)))
        search = self._sources.retriever.search
        hits = search(like, limit=_LOOKED_THROUGH, excluded=tuple(excluded)).columns
        columns = dict[ColumnRef, None]()
        for hit in hits:
            is_new = columns.keys().isdisjoint(self._copies(hit.ref))
            if is_new and len(columns) < _RETRIEVED and self._question.catalog.find(hit.ref):
                columns[hit.ref] = None
        self.seen.update(columns)
        text = columns_view(self._question, tuple(columns), _TOKENS_OF_COLUMNS).text
        return text or "[no other column is near]", bool(columns)

    def verify(self, sql: str, linked: Collection[ColumnRef]) -> tuple[str, bool]:
        """Result of a query, and its columns that are not linked yet."""
        used = used_by(sql, self._sources.dialect, self._names, self._question.catalog)
        loose = [str(ref) for ref in used.columns if ref not in linked]
        if self._sources.warehouse.is_profiled:
            text, is_done = self.explore(sql)
        else:
            text, is_done = "[not run: there are no rows that could be queried]", not used.problem
        lines = [text]
        # The warehouse's error suffices.
        if is_done or not self._sources.warehouse.is_profiled:
            lines += [f"[error: {used.problem}]"] if used.problem else []
            unknown = ", ".join(used.unknown)
            lines += [f"[error: these do not exist: {unknown}]"] if unknown else []
        lines += [f"[not linked yet: {', '.join(loose)}]"] if loose else []
        return "\n".join(lines), is_done

    def _observed(self, sql: str) -> str:
        probe, bounds = self._tools.admitted(sql, _QUERY_SECONDS)
        started = perf_counter()
        try:
            rows = self._tools.fetched(sql, probe, bounds)
        except WarehouseError:
            if perf_counter() - started < bounds.seconds:
                raise
            # Timeouts differ by warehouse.
            duration = f"{bounds.seconds} second{'s' * (bounds.seconds != 1)}"
            what = f"the query was stopped after {duration}"
            raise WarehouseError(what, hint="ask for less") from None
        took = perf_counter() - started
        if not rows:
            return f"[no rows were found, {took:.2f} s]"
        total = self._total(probe.original) if len(rows) >= PROBE_ROWS else len(rows)
        return _rows_view(rows, total, took, self._heads(probe, len(rows[0])))

    def _total(self, sql: str) -> int | None:
        """Total rows, if another probe can count them quickly."""
        # The text may end in a comment.
        counting = f"select count(*) from (\n{sql}\n) as counted"  # noqa: S608 - the guard judges it
        try:
            probe, bounds = self._tools.admitted(counting, _COUNT_SECONDS)
            [[total]] = self._tools.fetched(sql, probe, bounds)
        except (WarehouseError, BudgetExceeded):
            return None
        return int(total)

    def _heads(self, probe: "Probe", width: int) -> tuple[str, ...]:
        """Result column names, if the query states them."""
        heads = probe.heads
        if not heads and len(probe.tables) == 1:
            table = self._question.catalog.table_by_ref[probe.tables[0]]
            heads = tuple(column.path for column in table.columns if not column.depth)
        return heads if len(heads) == width else ()

    def _copies(self, ref: ColumnRef) -> tuple[ColumnRef, ...]:
        """A column and the same one in identical tables."""
        siblings = self._question.read.siblings.get(ref.table, ())
        return (ref, *(ColumnRef(sibling, ref.path) for sibling in siblings))


def _rows_view(rows: list[Row], total: int | None, took: float, heads: Sequence[str]) -> str:
    count = f"at least {len(rows)} rows" if total is None else f"{counted(total, 'row')} in all"
    shown = "all" if total == len(rows) else f"the first {len(rows)}"
    lines = [f"[{count}, {took:.2f} s; {shown} are shown]"]
    table: list[Sequence[object]] = [heads, ["---"] * len(heads)] if heads else []
    lines += [f"{cells(row)}{' | …' * (len(row) > MAX_CELLS)}" for row in [*table, *rows]]
    if total is not None and total > len(rows):
        lines.append(f"… {total - len(rows):,} more rows")
    return "\n".join(lines)


class Turn(Record, frozen=True):
    """A finished turn."""

    thought: str
    outcomes: tuple[ActionResult, ...]


def turns_view(turns: Sequence[Turn]) -> str:
    """All turns in order; old results are omitted to fit."""
    if not turns:
        return "none yet"
    left, lines = _TOKENS, list[str]()
    for number, turn in reversed(list(enumerate(turns, start=1))):
        text = "\n".join(_whole(number, turn))
        if estimate_tokens(text) > left:
            text = _short(number, turn)
        left -= estimate_tokens(text)
        if left < 0:
            lines.append(f"the first {number} turns are not shown")
            break
        lines.append(text)
    return "\n".join(reversed(lines))


def within(text: str, tokens: int) -> str:
    """Truncate with an ellipsis."""
    if estimate_tokens(text) <= tokens:
        return text
    lines, left = list[str](), tokens
    for line in text.splitlines():
        left -= estimate_tokens(line) + 1
        if left < 0:
            break
        lines.append(line)
    return "\n".join([*lines, "…"]) if lines else f"{text[: 3 * tokens]}…"


def _whole(number: int, turn: Turn) -> Iterator[str]:
    yield f"turn {number}: {readable(turn.thought)[:_LONGEST_THOUGHT]}".rstrip(": ")
    for outcome in turn.outcomes:
        yield f"- {_action(outcome)}"
        yield within(outcome.text, _TOKENS_OF_OUTCOME)


def _short(number: int, turn: Turn) -> str:
    failed = {True: "", False: " (failed)"}
    actions = [
        f"{_action(entry)[:_SHORT_ACTION]}{failed[entry.is_done]}" for entry in turn.outcomes
    ]
    return f"turn {number}: {'; '.join(actions) or 'nothing'}"


def _action(outcome: ActionResult) -> str:
    arguments = list[str]()
    for name, value in outcome.action:
        if value and name not in _NOT_SAID:
            arguments.append(", ".join(value) if isinstance(value, list) else str(value))
    text = f"{outcome.action.tool} {'; '.join(arguments)}"
    return readable(text)[:_LONGEST_ACTION].rstrip()


class StepReply(Reply):
    thought: Annotated[str, Field(max_length=4_000)] = ""
    actions: list[AnyAgentAction] = Field(default=[])


class AutolinkStrategy(AskingStrategy):
    """Explores with a model."""

    name = "autolink"
    rereads = False

    def find(self, question: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        """Initial and added columns."""
        return _Agent(question, linking).found()


def initial_count(catalog: Catalog) -> int:
    """Number of initially linked columns."""
    return _INITIAL_OF_SMALL if catalog.column_count <= _MAX_OF_SMALL else _INITIAL_OF_LARGE


class _Agent:
    """State of one question."""

    def __init__(self, question: LinkedQuestion, linking: LinkSession) -> None:
        self._question, self._linking = question, linking
        self._model = ModelQuestions(linking)
        hits = one_per_group(question)[: initial_count(question.catalog)]
        what = "what the question brings up"
        first = placed(hits, "what was linked at first", f"holds {what}", f"of {what}")
        nothing = "nothing was retrieved"
        self._begun = to_strategy_result(
            question, linking, [first], is_voted=False, nothing=nothing
        )
        self._state = self._begun.state
        self._initial = first.columns
        self._explorer = Explorer(question, linking, "turns", self._initial)
        # Fixed per question, shown in every turn.
        self._tables = names_view(question)
        self._turns = list[Turn]()
        self._explored = dict[str, int]()
        self._unknown = dict[str, None]()
        # Inspections, and consecutive idle turns; two idle turns end the loop.
        self._looks = self._idle = 0

    @property
    def _linked(self) -> tuple[ColumnRef, ...]:
        refs = (item.ref for item in self._state.answer)
        return tuple(ref for ref in refs if isinstance(ref, ColumnRef))

    def found(self) -> StrategyResult:
        """Run turns until the model stops, is idle twice, or a limit is reached."""
        linking, is_over = self._linking, False
        with linking.ledger.step("turns"):
            while not is_over and len(self._turns) < MAX_TURNS and self._idle < 2:
                reply = self._model.ask("turns", self._prompt(), StepReply)
                is_over = reply is None or self._take_turn(reply)
        if self._idle > 1:
            linking.warn(
                "the language model took no action for two turns; the answer has what was linked before"
            )
        if self._unknown:
            names = ", ".join(list(self._unknown)[:5])
            linking.warn(
                f"the language model added unknown tables or columns, which were left out: {names}"
            )
        if linking.environment.warehouse_error:
            linking.warn(f"no exploration: {linking.environment.warehouse_error}")
        linking.trace.note("turns", turns=self._state.turns, missing="")
        retrieved = tuple(ref for ref in self._explorer.seen if ref not in self._initial)
        seen = (("initial", self._initial), ("retrieved", retrieved))
        return StrategyResult(self._begun.groundings, self._state, seen=seen, is_voted=False)

    def _prompt(self) -> Prompt:
        linked, tables = self._linked, self._tables
        shown = columns_view(self._question, linked, _LINKED_TOKENS)
        return render_prompt(
            "autolink",
            question=self._question.question,
            bound=bound_view(self._question, date.today()),
            dialect=self._linking.environment.dialect,
            table_count=len(self._question.catalog.tables),
            left_out=tables.left_out,
            tables=tables.text,
            linked_count=len(linked),
            linked_left_out=shown.left_out,
            linked=shown.text,
            history=turns_view(self._turns),
            turn=len(self._turns) + 1,
            most_turns=MAX_TURNS,
        )

    def _take_turn(self, reply: StepReply) -> bool:
        """Run all actions, including those after a stop; true if it stops."""
        actions, further = reply.actions[:_MAX_ACTIONS], reply.actions[_MAX_ACTIONS:]
        is_last = len(self._turns) + 1 == MAX_TURNS
        has_company = is_last or not all(isinstance(entry, Add | Malformed) for entry in actions)
        before = self._looks
        outcomes = [self._outcome(entry, has_company=has_company) for entry in actions]
        outcomes += [_failed(entry, "too many actions at once") for entry in further]
        self._turns.append(Turn(reply.thought, tuple(outcomes)))
        self._state = self._state.after_turn(outcomes)
        # Errors count as results; a turn without any action is a slip.
        is_slip = self._looks == before and not any(entry.is_done for entry in outcomes)
        self._idle = self._idle + 1 if is_slip else 0
        return any(isinstance(entry.action, Stop) for entry in outcomes)

    def _outcome(self, action: Action, *, has_company: bool) -> ActionResult:
        if isinstance(action, Explore | Retrieve | Verify):
            return self._look(action)
        if isinstance(action, Add):
            alone = "add stands alone: with it explore, retrieve, verify or stop"
            return self._add(action) if has_company else _failed(action, alone)
        if isinstance(action, Stop):
            return ActionResult(action, "stopped")
        problem = action.problem if isinstance(action, Malformed) else "it is none of yours"
        return _failed(action, f"no action: {problem}; the actions are {', '.join(AGENT_TOOLS)}")

    def _look(self, action: Explore | Retrieve | Verify) -> ActionResult:
        if isinstance(action, Explore):
            sql = " ".join(action.sql.split())
            if sql in self._explored:
                return _failed(action, f"asked in turn {self._explored[sql]}, and answered there")
            self._explored[sql] = len(self._turns) + 1
        self._looks += 1
        if isinstance(action, Retrieve):
            return ActionResult(action, *self._explorer.retrieve(action.like))
        if isinstance(action, Verify):
            return ActionResult(action, *self._explorer.verify(action.sql, self._linked))
        return ActionResult(action, *self._explorer.explore(action.sql))

    def _add(self, action: Add) -> ActionResult:
        done, problems = list[Ref](), list[str]()
        reason = action.reason or f"added in turn {len(self._turns) + 1}"
        for name in action.items:
            tables = tuple({ref.table: None for ref in self._linked})
            ref = self._linking.names.find(name, tables)
            if isinstance(ref, Unknown):
                problems.append(f"there is no {ref}")
                self._unknown[name] = None
                continue
            self._state, problem = self._state.keep(ref, reason)
            if problem:
                problems.append(problem)
            else:
                done.append(ref)
        self._explorer.seen.update({ref: None for ref in done if isinstance(ref, ColumnRef)})
        added = [f"added {', '.join(map(str, done))}"] if done else []
        action = action.model_copy(update={"reason": reason})
        return ActionResult(action, "; ".join([*added, *problems]), bool(done), tuple(done))


def _failed(action: Action, why: str) -> ActionResult:
    return ActionResult(action, why, is_done=False)
