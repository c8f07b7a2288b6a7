"""Models for single steps: which is asked what."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from benchmarks.scripted import RuleModel
from linker.config.settings import Settings
from linker.environment import Environment
from linker.linking.result import LinkedSchema
from linker.models import LanguageModel, Prompt
from linker.pipeline import link
from linker.strategies import open_strategy
from tests.linking.rules import shown, tables_in
from tests.linking.scripted_linkers import Asked, standing
from tests.linking.shop import ShopEnvironment


class WithJudge(ShopEnvironment):
    """The shop, with one model for decisions and one for the other steps."""

    def __init__(self, folder: Path, rule: Any, judge: Any) -> None:
        super().__init__(folder, rule)
        self._judge = judge

    @property
    def models_of_steps(self) -> Mapping[str, LanguageModel]:
        return {"decision": RuleModel(self._judge)}


def test_the_judge_decides_and_is_told_what_it_looks_at(shop: Path) -> None:
    other, judge = Asked(), Judge()
    schema = judged(shop, other, judge)
    assert ["disputed" in shown(prompt) for prompt in judge.prompts] == [True, False]
    assert "What you wanted to see" in judge.prompts[1].content
    # The conversation is passed on, whichever model replied before; of the overview only the tables
    # in play.
    earlier, first = shown(Prompt("", judge.prompts[0].earlier[0].content)), other.prompts[0][1]
    assert earlier["question"] == shown(first)["question"]
    assert set(tables_in(earlier["tables"])) <= set(tables_in(shown(first)["tables"]))
    assert not any("disputed" in shown(prompt) for _, prompt in other.prompts)
    assert {status for status, _ in standing(schema).values()} == {"required", "kept"}


def judged(shop: Path, rule: Any, judge: Any) -> LinkedSchema:
    with WithJudge(shop, rule, judge) as environment:
        # The orders are of 2025, which contradicts them.
        return link(
            "What is the total amount of paid orders in January 2019?",
            environment,
            open_strategy("evilink"),
        )


class Judge:
    """Looks once, and then keeps all that is disputed."""

    def __init__(self) -> None:
        self.prompts: list[Prompt] = []

    def __call__(self, prompt: Prompt, _answer: type[BaseModel]) -> Any:
        self.prompts.append(prompt)
        if len(self.prompts) == 1:
            return {"look": [{"tool": "list_tables", "like": "orders"}]}
        disputed = shown(self.prompts[0])["disputed"]
        names = [
            line.removeprefix("table ").split(";")[0].split(" ")[0]
            for line in disputed.splitlines()
        ]
        return {"decide": [{"tool": "keep", "items": names, "reason": "they may be read"}]}


def test_a_model_of_a_step_is_at_the_server_of_the_model_where_it_speaks_the_same(
    tmp_path: Path,
) -> None:
    settings = Settings(
        state_dir=tmp_path,
        model="openai:large",
        model_base_url="http://127.0.0.1:9/v1",
        model_by_step=(
            ("decision", "ollama:judge"),
            ("evidence", "openai:small"),
            ("sql", "openai:small"),
        ),
    )
    with Environment(settings) as environment:
        opened = environment.models_of_steps
        assert {step: model.name for step, model in opened.items()} == dict(settings.model_by_step)
        assert opened["sql"] is opened["evidence"]
        other = environment.with_model(RuleModel(lambda _prompt, _answer: {}))
        assert other.models_of_steps == {}
        assert environment.models_of_steps == opened
