"""Contract of language models: without a provider, and each provider over HTTP."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from pydantic import BaseModel, Field

from benchmarks.scripted import RuleModel, ScriptedModel
from linker.budget import CallLimit
from linker.errors import ModelError
from linker.models import LanguageModel, Prompt, open_model
from linker.types import Usage
from tests.contract.model_server import ModelServer, serve_model
from tests.contract.model_wires import WIRES, OpenAI, Wire

PROMPT = Prompt(instructions="Choose the tables.", content="How many orders were returned?")


class Choice(BaseModel):
    """The requested answer."""

    tables: list[str]
    confidence: float = Field(ge=0, le=1)


GOOD = {"tables": ["shop.orders", "shop.returns"], "confidence": 0.75}
BAD = [
    pytest.param({"tables": ["shop.orders"]}, id="a field is missing"),
    pytest.param({"tables": "shop.orders", "confidence": 0.5}, id="a field has another type"),
    pytest.param({"tables": [], "confidence": 1.5}, id="a value is out of range"),
    pytest.param([], id="no object at all"),
]


@dataclass(frozen=True)
class Variant:
    """A model that gives these answers, and its requests: instructions, then content."""

    model: Callable[[Sequence[object]], LanguageModel]
    heard: Callable[[], list[tuple[str, str]]]
    name: str


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    with serve_model() as running:
        yield running


@pytest.fixture(scope="module")
def opened(running: ModelServer) -> Iterator[Callable[[Wire], LanguageModel]]:
    """Each model is opened once: a client reads all certificates of the machine first."""
    with ExitStack() as closing:
        models: dict[str, LanguageModel] = {}

        def opening(wire: Wire) -> LanguageModel:
            if wire.name not in models:
                model = models[wire.name] = open_model(wire.name, running.url + wire.base_path)
                closing.callback(model.close)
            return models[wire.name]

        yield opening


@pytest.fixture
def server(running: ModelServer) -> ModelServer:
    running.forget()
    return running


@pytest.fixture(
    params=[
        "script",
        "rule",
        *(f"{wire.name} {way}" for wire in WIRES for way in ("by tool", "by text")),
    ]
)
def variant(
    request: pytest.FixtureRequest, server: ModelServer, opened: Callable[[Wire], LanguageModel]
) -> Variant:
    if request.param == "script":
        scripted: list[ScriptedModel] = []

        def with_script(answers: Sequence[object]) -> LanguageModel:
            scripted.append(ScriptedModel(answers))
            return scripted[-1]

        def prompts() -> list[tuple[str, str]]:
            return [(asked.instructions, asked.content) for asked in scripted[-1].prompts]

        return Variant(with_script, prompts, "scripted:script")
    if request.param == "rule":
        heard: list[tuple[str, str]] = []

        def with_rule(answers: Sequence[object]) -> LanguageModel:
            given = iter(answers)

            def rule(prompt: Prompt, answer: type[BaseModel]) -> object:
                heard.append((prompt.instructions, prompt.content))
                return next(given)

            return RuleModel(rule)

        return Variant(with_rule, lambda: heard, "scripted:rule")
    wire = next(wire for wire in WIRES if request.param.startswith(wire.name))
    return over_http(wire, request.param.endswith("by text"), server, opened(wire))


def over_http(wire: Wire, is_text: bool, server: ModelServer, model: LanguageModel) -> Variant:
    def with_server(answers: Sequence[object]) -> LanguageModel:
        for answer in answers:
            # Only objects can be tool arguments on every wire.
            by_tool = isinstance(answer, dict) and not is_text
            reply = wire.by_tool(answer) if by_tool else wire.by_text(json.dumps(answer))  # type: ignore[arg-type]
            # A model that answers badly is asked once more, and answers the same.
            server.replies += [reply] * (1 if answer == GOOD else 2)
        return model

    def heard() -> list[tuple[str, str]]:
        asked = [wire.heard(request) for request in server.requests]
        return [(instructions, contents[0]) for instructions, contents in asked]

    return Variant(with_server, heard, wire.name)


def test_the_answer_comes_back_as_the_type_that_was_asked_for(variant: Variant) -> None:
    answer = variant.model([GOOD]).complete(PROMPT, Choice).answer
    assert type(answer) is Choice
    assert answer == Choice(tables=["shop.orders", "shop.returns"], confidence=0.75)


def test_one_call_hears_the_instructions_before_the_content(variant: Variant) -> None:
    variant.model([GOOD]).complete(PROMPT, Choice)
    assert variant.heard() == [("Choose the tables.", "How many orders were returned?")]


def test_calls_know_nothing_of_each_other(variant: Variant) -> None:
    model = variant.model([GOOD, GOOD])
    model.complete(PROMPT, Choice)
    model.complete(Prompt("Judge.", "Is that all?"), Choice)
    assert variant.heard() == [
        ("Choose the tables.", "How many orders were returned?"),
        ("Judge.", "Is that all?"),
    ]


@pytest.mark.parametrize("answer", BAD)
def test_an_answer_of_another_shape_is_a_model_error(variant: Variant, answer: object) -> None:
    model = variant.model([answer])
    with pytest.raises(ModelError) as caught:
        model.complete(PROMPT, Choice)
    assert caught.value.code == "malformed"
    assert caught.value.hint


def test_an_allowance_that_suffices_changes_nothing(variant: Variant) -> None:
    allowance = CallLimit(tokens=50_000, calls=4, seconds=20.0)
    assert variant.model([GOOD]).complete(PROMPT, Choice, allowance).answer.confidence == 0.75


def test_the_name_says_provider_and_model(variant: Variant) -> None:
    assert variant.model([]).name == variant.name


def test_a_script_that_has_ended_is_a_model_error() -> None:
    model = ScriptedModel([GOOD])
    model.complete(PROMPT, Choice)
    with pytest.raises(ModelError, match="no answer left"):
        model.complete(PROMPT, Choice)


def test_a_script_may_hold_an_error_which_is_raised_in_its_turn() -> None:
    refused = ModelError(
        "it refuses", hint="ask in other words", code="refused", usage=Usage(100, 0, 5)
    )
    model = ScriptedModel([refused, GOOD])
    with pytest.raises(ModelError) as caught:
        model.complete(PROMPT, Choice)
    assert caught.value is refused
    assert model.complete(PROMPT, Choice).answer == Choice.model_validate(GOOD)


def test_the_scripted_model_costs_one_call_and_no_tokens() -> None:
    assert ScriptedModel([GOOD]).complete(PROMPT, Choice).usage == Usage(0, 0, 0, calls=1)


def test_a_model_by_rule_costs_what_its_texts_are_estimated_to_be() -> None:
    class Word(BaseModel):
        word: str

    usage = (
        RuleModel(lambda prompt, answer: Word(word=prompt.content))
        .complete(Prompt("a b", "c d e"), Word)
        .usage
    )
    # 2 words and 3 words, and {"properties": {"word": {"title": "Word", "type": "string"}},
    # "required": ["word"], "title": "Word", "type": "object"}: 12 words with 4 + 2 letters beyond
    # the sixth, and 43 marks.
    assert usage.calls == 1
    assert usage.cached_tokens == 0
    assert usage.prompt_tokens == 2 + 3 + round(12 + 0.3 * 6 + 0.6 * 43)
    # {"word":"c d e"}: 4 words and 7 marks.
    assert usage.completion_tokens == round(4 + 0.6 * 7)


def test_the_rule_knows_which_answer_is_asked_for() -> None:
    class Other(BaseModel):
        number: int

    model = RuleModel(
        lambda prompt, answer: GOOD if answer is Choice else {"number": len(prompt.content)}
    )
    assert model.complete(PROMPT, Choice).answer.confidence == 0.75
    assert model.complete(PROMPT, Other).answer.number == 30


def test_the_wire_of_openai_is_the_one_of_any_compatible_server(server: ModelServer) -> None:
    server.replies = [OpenAI().by_tool(GOOD)]
    model = open_model("openai:any-model", server.url + "/deep/below/v1/")
    model.complete(PROMPT, Choice)
    model.close()
    assert server.paths == ["/deep/below/v1/chat/completions"]
    assert server.requests[0]["model"] == "any-model"
