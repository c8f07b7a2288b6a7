"""
The dialogue about one question: enters a panorama, leave the replies of a language model and what
it looked at.

It is one conversation: each turn sends what is new alone, and what came before stays as it was, so
that a provider can cache it. What is looked at is kept, whatever else a reply decides.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from linker.errors import LimitReached
from linker.link.actions import Look, Malformed
from linker.link.linking import Linking
from linker.link.model_questions import ModelQuestions
from linker.link.panorama import Panorama
from linker.link.question import LinkedQuestion
from linker.link.refinement import ActionResult
from linker.link.replies import PanoramaReply
from linker.link.tools import Toolbox
from linker.link.views import bound_view
from linker.models import Exchange, Prompt
from linker.names.repair import Unknown
from linker.prompts.render import render_prompt

MOST_LOOKS = 4
# More at once are not answered: each answer must fit the next prompt.
_MOST_ACTIONS = 8


class Dialogue:
    """The conversation with the model, and what was looked at in each turn."""

    def __init__(
        self, question: LinkedQuestion, linking: Linking, shown: Panorama, breadth: int
    ) -> None:
        self._linking, self._model = linking, ModelQuestions(linking)
        self._tools = Toolbox(question, linking, "evidence")
        self._looked_before = dict[str, int]()
        self.turns = list[tuple[ActionResult, ...]]()
        # The step that further turns belong to: what is looked at for the decision is told to
        # whoever decides.
        self._step = "evidence"
        names = {"names": shown.names} if shown.names else {}
        self._prompt = render_prompt(
            "panorama",
            question=question.question,
            bound=bound_view(question),
            tables=shown.tables,
            left_out=shown.left_out,
            further=shown.further,
            breadth=breadth,
            rows=int(question.ranked.known.is_profiled),
            **names,
        )

    @property
    def looks_left(self) -> int:
        """How often the model may look again."""
        return MOST_LOOKS - len(self.turns)

    def open(self) -> PanoramaReply | None:
        """The first reply; None where there is none."""
        return self._ask("hypotheses", self._prompt)

    def go_on(
        self, looks: Sequence[Look | Malformed], unknown: Iterable[Unknown] = ()
    ) -> PanoramaReply | None:
        """The reply to what was found, and to names that lead nowhere."""
        outcomes = tuple(self._outcome(look) for look in looks[:_MOST_ACTIONS])
        self.turns.append(outcomes)
        found = "\n".join(f"{_named(outcome)}:\n{outcome.text}" for outcome in outcomes)
        lost = "\n".join(map(str, unknown))
        shown = {name: text for name, text in (("found", found), ("unknown", lost)) if text}
        content = render_prompt(
            "panorama_found", turns_left=max(0, self.looks_left), **shown
        ).content
        return self._ask(self._step, replace(self._prompt, content=content))

    def decide(self, agreed: str, disputed: str, twins: str) -> PanoramaReply | None:
        """The reply to what hypotheses disagree about, and to what is recorded more than once."""
        self._step = "decision"
        shown = {name: text for name, text in (("disputed", disputed), ("twins", twins)) if text}
        turns_left = max(0, self.looks_left)
        content = render_prompt(
            "panorama_decide", agreed=agreed or "nothing", turns_left=turns_left, **shown
        ).content
        return self._ask(self._step, replace(self._prompt, content=content))

    def tell_problems(self) -> None:
        """Warn of what could not be looked up."""
        for problem in self._tools.missed:
            self._linking.warn(
                f"the warehouse no longer has what the profiles tell of ({problem}); run: linker refresh"
            )
        if self._linking.environment.away:
            self._linking.warn(
                f"nothing could be looked up or probed: {self._linking.environment.away}"
            )

    def _ask(self, step: str, prompt: Prompt) -> PanoramaReply | None:
        with self._linking.ledger.step(step):
            reply = self._model.ask(step, prompt, PanoramaReply)
        if reply:
            exchange = Exchange(
                prompt.content, reply.model_dump_json(exclude_unset=True, warnings=False)
            )
            self._prompt = replace(self._prompt, earlier=(*self._prompt.earlier, exchange))
        return reply

    def _outcome(self, look: Look | Malformed) -> ActionResult:
        if isinstance(look, Malformed):
            return ActionResult(look, f"no such tool, or not so: {look.problem}", is_done=False)
        call = look.model_dump_json()
        if call in self._looked_before:
            before = self._looked_before[call]
            return ActionResult(
                look, f"asked in turn {before} already, and answered there", is_done=False
            )
        self._looked_before[call] = len(self.turns) + 1
        try:
            with self._linking.ledger.step("evidence"):
                return self._tools.use(look)
        except LimitReached as error:
            return ActionResult(look, error.what, is_done=False)


def _named(outcome: ActionResult) -> str:
    """The action with its arguments."""
    if isinstance(outcome.action, Malformed):
        return outcome.action.text[:100]
    arguments = outcome.action.model_dump(exclude={"tool", "about"}, exclude_defaults=True)
    written = " ".join(str(value) for value in arguments.values())
    return f"{outcome.action.tool} {written}".strip()[:300]
