"""
E-SQL: rewrites the question with tables, columns and predicates from a draft query and matching
values. Three calls.
"""

from collections.abc import Iterator

from benchmarks.baselines.prompting import telling
from benchmarks.baselines.thinking import links_of
from benchmarks.baselines.values import told_values, values_near
from benchmarks.baselines.writing import drafted, written
from linker.linking.column_selection_prompt import Choosing
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.sql_analysis.statements import statements
from linker.strategies import AskingStrategy


class ESqlStrategy(AskingStrategy):
    """Asks for a query, for the enriched question, and for a query anew."""

    name = "e_sql"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        view = choosing.schema()
        with linking.ledger.step("candidate"):
            draft = drafted(choosing, "candidate", view)
        predicates = told_values(
            values_near(choosing, _literals(draft.sql, linking.environment.dialect))
        )
        with linking.ledger.step("enrichment"):
            enrich = telling("enrich_question", predicates=predicates, sql=draft.sql)
            question, enriched = links_of(choosing, "enrichment", view, enrich)
        with linking.ledger.step("refined"):
            refined = written(
                choosing, "refined", view, hints="\n".join(filter(None, (question, predicates)))
            )
        return choosing.found(
            view,
            ("candidate query", draft.chosen, "the first query uses it"),
            ("enriched question", enriched, "the enriched question names it"),
            ("refined query", refined, "the refined query uses it"),
        )


def _literals(sql: str, dialect: str) -> Iterator[str]:
    """The texts in quotation marks of a query that can be read."""
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed = [statement for _, statement in statements(sql, dialect)]
    except (SqlglotError, RecursionError):
        return
    for statement in parsed:
        yield from (
            literal.name
            for literal in statement.find_all(exp.Literal)
            if literal.is_string and literal.name
        )
