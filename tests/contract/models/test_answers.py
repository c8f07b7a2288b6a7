"""Malformed answers: which are repaired and which fail."""

import json
from collections.abc import Callable

import pytest

from tests.contract.model_wires import OpenAI, Wire
from tests.contract.models.scripted_provider import GOOD, PROMPT, TEXT, Asking, Choice

# Repaired answers


def test_a_bad_answer_is_sent_back_once_with_what_is_wrong(wire: Wire, asking: Asking) -> None:
    bad = {"tables": 1, "confidence": 0.5}
    assert asking.answer(wire.by_tool(bad), wire.by_tool(GOOD)).answer == Choice.model_validate(
        GOOD
    )
    instructions, [content, correction] = wire.heard(asking.server.requests[1])
    assert (instructions, content) == (PROMPT.instructions, PROMPT.content)
    assert "tables: Input should be a valid array" in correction
    assert '"tables"' in correction


@pytest.mark.parametrize(
    "text",
    [
        f"Sure, here it is:\n\n```json\n{TEXT}\n```\nAnything else?",
        f"I looked at {{several}} tables. {TEXT}",
        f"{TEXT}\n\nAgain: {TEXT}",
        f'An example: {{"tables": "no list"}}. My answer: {TEXT}',
        json.dumps({"name": "final_result", "arguments": GOOD}),
        json.dumps({"name": "final_result", "parameters": GOOD}),
        f"<think>{{}}</think>{TEXT}",
    ],
)
def test_the_one_fitting_object_in_prose_is_the_answer(
    wire: Wire, asking: Asking, text: str
) -> None:
    completion = asking.answer(wire.by_text(text))
    assert completion.answer == Choice.model_validate(GOOD)
    assert completion.usage.calls == 1


def test_prose_around_the_arguments_of_the_tool_is_left_out(
    open_asking: Callable[..., Asking],
) -> None:
    asking = open_asking(OpenAI())
    assert asking.answer(OpenAI().by_arguments(f"```json\n{TEXT}\n```")).usage.calls == 1


def test_of_several_answers_by_the_tool_the_first_that_fits_is_taken(
    open_asking: Callable[..., Asking],
) -> None:
    other = json.dumps({"tables": [], "confidence": 0.0})
    completion = open_asking(OpenAI()).answer(OpenAI().by_arguments('{"tables": ', TEXT, other))
    assert completion.answer == Choice.model_validate(GOOD)


def test_a_server_that_takes_no_tools_is_asked_for_text_from_then_on(
    wire: Wire, open_asking: Callable[..., Asking]
) -> None:
    asking = open_asking(wire)
    refusal = wire.error(400, "registry.ollama.ai/library/test-model:latest does not support tools")
    assert asking.answer(refusal, wire.by_text(TEXT)).usage.calls == 2
    assert asking.answer(wire.by_text(TEXT)).usage.calls == 1
    assert [bool(wire.tools(request)) for request in asking.server.requests] == [True, False, False]
    instructions, _ = wire.heard(asking.server.requests[1])
    assert instructions.startswith(PROMPT.instructions)
    assert '"confidence"' in instructions


# What fails because of the answer


@pytest.mark.parametrize(
    "text",
    [
        '{"tables": [',
        "null",
        "tables: none",
        f"{TEXT} or {json.dumps(GOOD | {'confidence': 0.5})}",
        f"[{TEXT}",
    ],
    ids=["broken", "null", "prose", "two answers", "inside a broken list"],
)
def test_an_answer_that_is_no_json_of_that_shape_is_malformed(
    wire: Wire, asking: Asking, text: str
) -> None:
    assert asking.error(wire.by_text(text), wire.by_text(text)).code == "malformed"


@pytest.mark.parametrize("arguments", ['{"tables": [', "null", "tables: none"])
def test_arguments_that_are_no_json_are_malformed(
    open_asking: Callable[..., Asking], arguments: str
) -> None:
    reply = OpenAI().by_arguments(arguments)
    assert open_asking(OpenAI()).error(reply, reply).code == "malformed"


def test_a_model_that_calls_its_tool_wrongly_again_and_again_is_asked_twice(
    wire: Wire, asking: Asking
) -> None:
    bad = wire.by_tool({"tables": "all"})
    assert asking.error(bad, bad).code == "malformed"
    assert len(asking.server.requests) == 2


def test_a_tool_that_was_not_offered_is_answered_once_and_then_an_error(
    wire: Wire, asking: Asking
) -> None:
    other = wire.by_tool({"statement": "drop table orders"}, tool="run_sql")
    assert asking.answer(other, wire.by_tool(GOOD)).usage.calls == 2
    assert "`run_sql`" in wire.heard(asking.server.requests[1])[1][1]
    error = asking.error(other, other)
    assert error.code == "wrong_tool"
    assert "`run_sql`" in error.what


def test_an_empty_answer_is_asked_for_once_more(wire: Wire, asking: Asking) -> None:
    assert asking.answer(wire.empty(), wire.by_tool(GOOD)).usage.calls == 2
    assert asking.error(wire.empty(), wire.empty()).code == "empty"


def test_a_refusal_is_taken_at_its_word(wire: Wire, asking: Asking) -> None:
    assert asking.error(wire.refusal("I cannot help with that.")).code == "refused"


def test_an_answer_that_was_cut_off_is_truncated_and_not_asked_for_again(
    wire: Wire, asking: Asking
) -> None:
    error = asking.error(wire.cut_off('{"tables": ["shop.orders", "shop.ret'))
    assert error.code == "truncated"
    assert error.usage.completion_tokens == 30


def test_an_object_inside_an_answer_that_was_cut_off_is_no_answer(
    wire: Wire, asking: Asking
) -> None:
    assert asking.error(wire.cut_off(f'{{"answers": [{TEXT}, {{"tables"')).code == "truncated"


def test_an_answer_that_is_whole_counts_even_where_the_length_was_reached(
    wire: Wire, asking: Asking
) -> None:
    assert asking.answer(wire.cut_off(TEXT)).answer == Choice.model_validate(GOOD)
