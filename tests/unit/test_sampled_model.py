"""The sampled model: requests and handling of replies."""

import pytest
from pydantic import BaseModel

from linker.budget import CallLimit
from linker.errors import ModelError
from linker.models import MessagePair, Prompt
from linker.models.sampled import SampledModel, SampledReply, SamplingRequired

PROMPT = Prompt("Count.", "How many?", earlier=(MessagePair("How many before?", '{"count": 1}'),))


class Count(BaseModel):
    """A number."""

    count: int


def test_a_missing_reply_is_wanted_with_all_that_came_before() -> None:
    model = SampledModel({})
    with pytest.raises(SamplingRequired) as wanted:
        model.complete(PROMPT, Count)
    [kept] = model.wanted.values()
    assert wanted.value.wanted == kept
    assert kept.instructions.startswith("Count.")
    assert '"count"' in kept.instructions
    assert kept.turns == ("How many before?", '{"count": 1}', "How many?")


def test_a_reply_is_the_answer_and_a_useless_one_is_sent_back_once() -> None:
    replies: dict[str, SampledReply] = {}
    for text in ("Seven, I think.", '{"count": 7}'):
        model = SampledModel(replies)
        with pytest.raises(SamplingRequired):
            model.complete(PROMPT, Count)
        [key] = model.wanted
        replies[key] = SampledReply(text)
    completion = SampledModel(replies).complete(PROMPT, Count)
    assert completion.answer == Count(count=7)
    assert completion.usage.calls == 2


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (SampledReply("it did not answer in time", "timeout"), "timeout"),
        (SampledReply('{"count": 7', is_cut_off=True), "truncated"),
    ],
)
def test_what_keeps_a_client_from_answering_is_an_error_of_the_model(
    reply: SampledReply, code: str
) -> None:
    model = SampledModel({})
    with pytest.raises(SamplingRequired):
        model.complete(PROMPT, Count)
    with pytest.raises(ModelError) as failed:
        SampledModel(dict.fromkeys(model.wanted, reply)).complete(PROMPT, Count)
    assert failed.value.code == code


def test_nothing_is_wanted_beyond_what_a_question_may_cost() -> None:
    model = SampledModel({})
    for allowance in (CallLimit(tokens=100), CallLimit(calls=0)):
        with pytest.raises(ModelError) as failed:
            model.complete(PROMPT, Count, allowance)
        assert failed.value.code == "limit"
    assert not model.wanted
