"""An SQL answer from a model over HTTP."""

from functools import cached_property
from pathlib import Path
from typing import Any

from linker.models import open_model
from linker.pipeline import link
from linker.sql.answering import answer_in_sql
from linker.strategies.shortlist import ShortlistStrategy
from tests.contract.model_server import serve_model
from tests.contract.model_wires import OpenAI
from tests.linking.shop import QUESTION, ShopEnvironment
from tests.sql.test_answering import BROKEN, RIGHT, SAME


def test_candidates_are_drawn_corrected_and_counted_over_http(shop: Path) -> None:
    wire = OpenAI()
    with serve_model() as server:
        server.replies += [wire.by_tool({"sql": sql}) for sql in (RIGHT, SAME, BROKEN, RIGHT)]

        class Environment(ShopEnvironment):
            @cached_property
            def model(self) -> Any:
                opened = open_model(wire.name, server.url + wire.base_path)
                self._closing.callback(opened.close)
                return opened

        # The shortlist asks no model: every request is one for SQL.
        with Environment(shop, sql_candidates=3) as environment:
            answer = answer_in_sql(link(QUESTION, environment, ShortlistStrategy()), environment)
    assert (answer.outcome, answer.votes, answer.of) == ("answered", 3, 3)
    assert answer.result is not None
    assert answer.result.rows == ((10.5,),)
    assert sorted(request["temperature"] for request in server.requests) == [0.0, 0.0, 0.8, 0.8]
    asked = [step.cost for step in answer.cost if step.step == "sql"]
    # Each reply reports 120 tokens read, 64 of them cached, and 30 written.
    assert [(one.calls, one.prompt_tokens, one.completion_tokens) for one in asked] == [
        (4, 480, 120)
    ]
