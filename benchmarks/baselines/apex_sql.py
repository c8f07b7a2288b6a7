"""
APEX-SQL: a plan without schema, parallel selection and dropping of columns, sampled rows,
synthesis.

The plan is a hypothesis that rows verify.
"""

from benchmarks.baselines.composing import dropped
from benchmarks.baselines.prompting import render_prompt, telling
from benchmarks.baselines.row_sampling import explored
from benchmarks.baselines.thinking import text_of
from linker.linking.column_selection_prompt import Choosing
from linker.linking.linking import LinkSession, ModelQuestions, StrategyResult
from linker.linking.prompt_sections import columns_view
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy

_PLANS = 3
_MAX_TABLES = 12
_MAX_QUERIES = 3


class ApexSqlStrategy(AskingStrategy):
    """
    Asks for plans, for both kinds of pruning, for queries of each table, and for the needed
    columns.
    """

    name = "apex_sql"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing, tokens = Choosing(asked, linking), linking.environment.settings.schema_tokens
        with linking.ledger.step("plan"):
            plan = _plan(choosing.model, asked.question)
        view = choosing.schema()
        with linking.ledger.step("pruning"):
            selected, out = choosing.model.together(
                lambda: choosing.columns("selection", view, hints=plan),
                lambda: dropped(choosing, "deletion", view, telling("drop_columns", hints=plan)),
            )
        # A column stays that one way selects or the other does not drop.
        kept = tuple(
            ref for ref in view.columns if ref not in out.columns or ref in selected.columns
        )
        order = tuple(dict.fromkeys(ref.table for ref in (*selected.columns, *kept)))[:_MAX_TABLES]
        of_tables = []
        for table in order:
            columns = [ref for ref in kept if ref.table == table]
            of_tables.append(columns_view(asked, columns, tokens))
        with linking.ledger.step("profiling"):
            rows = explored(choosing, "profiling", of_tables, _MAX_QUERIES, plan)
        with linking.ledger.step("synthesis"):
            hints = "\n".join(filter(None, (plan, rows)))
            pruned = columns_view(asked, kept, tokens)
            needed = choosing.columns("synthesis", pruned, hints=hints)
        chosen = needed if needed.columns else selected
        return choosing.found(pruned, ("synthesis", chosen, "needed after a look at the rows"))


def _plan(model: ModelQuestions, question: str) -> str:
    """A schema-free plan for the question, one of three."""
    plans = model.together(
        *(
            lambda look=look: text_of(
                model, "plan", render_prompt("plan_steps", question=question, look=look)
            )
            for look in range(1, _PLANS + 1)
        ),
    )
    evidence = "\n\n".join(filter(None, plans))
    merged = (
        text_of(model, "plan", render_prompt("merge_plans", question=question, plans=evidence))
        if evidence
        else ""
    )
    return merged or evidence
