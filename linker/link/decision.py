"""
What becomes of the state after the vote: a model decides what is not certain, and what may be
needed besides comes in as undecided.

Not certain is what its hypotheses disagree on, and what the catalogue records more than once; the
model sees their rows, days and nulls.
"""

from collections.abc import Mapping, Sequence

from linker.catalog.description import name_of
from linker.link.actions import Discard, Keep, Malformed, Suggest
from linker.link.dialogue import Dialogue
from linker.link.grounding import Grounding
from linker.link.linking import Linking
from linker.link.question import LinkedQuestion
from linker.link.refinement import ActionResult, Item, Refinement
from linker.link.replies import PanoramaReply
from linker.link.twins import Measured, twin_line, twins_of
from linker.names.repair import Unknown
from linker.ranking.likelihood import MOST_COLUMNS, completion, enough, likelihoods
from linker.types import ColumnRef, Ref, TableRef

# An action names no more.
_MOST_NAMED = 100
_CONFIRMED = "the only hypothesis needs it"
_LIKELY = "the likeliest besides, so that nothing is missing"


def decided(
    state: Refinement,
    groundings: Sequence[Grounding],
    dialogue: Dialogue,
    question: LinkedQuestion,
    linking: Linking,
) -> Refinement:
    """
    The state after the model decided; it is asked only where what was measured speaks against
    something.
    """
    is_single = len(groundings) == 1
    chosen = [ref for grounding in groundings for ref in grounding.columns]
    measured, twins = Measured(question, linking.environment.profile_of), twins_of(question, chosen)
    lines = [] if is_single else [_disputed(question, item, measured) for item in state.undecided]
    against = tuple(twin for twin in twins if measured.speaks_against(twin))
    if not against and (
        is_single or not any(measured.is_doubtful(item.ref) for item in state.undecided)
    ):
        return state
    agreed = ", ".join(
        name_of(str(item.ref)) for item in state.items if item.fate in ("required", "kept")
    )
    copies = {twin.table: twin.columns for twin in twins}
    reply = dialogue.decide(
        agreed,
        "\n".join(lines),
        "\n".join(twin_line(twin, measured) for twin in (against if is_single else twins)),
    )
    while reply:
        has_seen, last = bool(reply.look and dialogue.looks_left), reply
        if has_seen:
            before = len(dialogue.turns)
            reply = dialogue.go_on(reply.look)
            for turn in dialogue.turns[before:]:
                state = state.after_turn(turn)
        state = _applied(state, last, linking, copies)
        if not has_seen:
            break
    return state


def _disputed(question: LinkedQuestion, item: Item, measured: Measured) -> str:
    """An item with what it means, who needs it and what was measured of it."""
    votes = next((evidence.text for evidence in item.evidence if evidence.kind == "vote"), "")
    if isinstance(item.ref, TableRef):
        line, new = f"table {name_of(str(item.ref))}", measured.table(item.ref)
    else:
        line, new = (
            f"{name_of(str(item.ref.table))}.{question.describe(item.ref).line()}",
            measured.column(item.ref),
        )
    return "; ".join(filter(None, (line, votes, new)))


def _applied(
    state: Refinement,
    reply: PanoramaReply,
    linking: Linking,
    copies: Mapping[TableRef, Sequence[ColumnRef]],
) -> Refinement:
    """
    The state after the decisions of a reply; a copy comes with its columns, an emptied table goes.
    """
    outcomes = list[ActionResult]()
    for action in reply.decide:
        if isinstance(action, Malformed):
            outcomes.append(ActionResult(action, action.problem, is_done=False))
            continue
        done, problems = list[Ref](), list[str]()
        in_play = tuple(item.ref for item in state.items if isinstance(item.ref, TableRef))
        for name in action.items:
            ref = linking.names.find(name, in_play)
            if isinstance(ref, Unknown):
                problems.append(f"there is no {ref}")
                continue
            is_kept = isinstance(action, Keep)
            for each in (
                ref,
                *(copies.get(ref, ()) if is_kept and isinstance(ref, TableRef) else ()),
            ):
                state, problem = (state.keep if is_kept else state.discard)(each, action.reason)
                problems += [problem] if problem else []
                done += [] if problem else [each]
        text = "; ".join(
            (*([f"{action.tool}: {', '.join(map(str, done))}"] if done else []), *problems)
        )
        outcomes.append(ActionResult(action, text, bool(done), tuple(done)))
    for table in _emptied(state):
        action = Discard(items=[str(table)[:500]], reason="none of its columns is needed")
        state, _ = state.discard(table, action.reason)
        outcomes.append(ActionResult(action, f"discard: {table}", decided=(table,)))
    return state.after_turn(outcomes) if outcomes else state


def _emptied(state: Refinement) -> list[TableRef]:
    """The tables of the answer of which columns were discarded, and none is left."""
    left = {item.ref.table for item in state.answer if isinstance(item.ref, ColumnRef)}
    lost = {
        item.ref.table
        for item in state.items
        if isinstance(item.ref, ColumnRef) and item.fate == "discarded"
    }
    tables = [item.ref for item in state.answer if isinstance(item.ref, TableRef)]
    return [table for table in tables if table in lost - left]


def confirmed(state: Refinement) -> Refinement:
    """The state with all that the only hypothesis needs."""
    refs = [item.ref for item in state.undecided]
    outcomes = list[ActionResult]()
    for first in range(0, len(refs), _MOST_NAMED):
        batch = tuple(refs[first : first + _MOST_NAMED])
        action = Keep(items=[str(ref)[:500] for ref in batch], reason="")
        outcomes.append(ActionResult(action, _CONFIRMED, decided=batch))
        for ref in batch:
            state, _ = state.keep(ref)
    return state.after_turn(outcomes)


def completed(
    state: Refinement, question: LinkedQuestion, linking: Linking
) -> tuple[Refinement, float]:
    """
    The state with further columns, until all that is needed is there with the chance that is asked
    for.
    """
    settings = linking.environment.settings
    chosen = [item.ref for item in state.answer if isinstance(item.ref, ColumnRef)]
    further = completion(question.ranked, likelihoods(question.ranked, linking.weights), chosen)
    count = enough(
        further.complete,
        settings.recall or 0.0,
        len(chosen),
        settings.column_budget or MOST_COLUMNS,
    )
    return suggested(state, further.columns[:count], _LIKELY), float(further.complete[count])


def suggested(state: Refinement, maybe: Sequence[ColumnRef], why: str) -> Refinement:
    """The state with what may be needed besides, undecided."""
    new = tuple(ref for ref in maybe if ref not in state.by_ref)
    if not new:
        return state
    for ref in new:
        state = state.suggest(ref, why)
    return state.after_turn([ActionResult(Suggest(reason=why), why, decided=new)])
