"""Reads PIVOT and UNPIVOT: enters the source they turn, leaves the turned one."""

from sqlglot import exp

from linker.lineage.names import columns_in
from linker.lineage.relations import Relation, Source
from linker.lineage.scope import Scope
from linker.lineage.values import COMPUTED


def pivoted(source: Source, pivot: exp.Pivot, scope: Scope) -> Source:
    """The source after the pivot; what it turns is read; the other columns are handed on."""
    turned = scope.inner()
    turned.sources.append(source)
    used = _unpivoted(pivot) if pivot.unpivot else [*pivot.expressions, *pivot.args["fields"]]
    for expression in used:
        turned.read(expression)
    gone = {column.name.casefold() for expression in used for column in columns_in(expression)}
    kept = tuple((name, value) for name, value in source.relation.columns if name.casefold() not in gone)
    made = tuple((name, COMPUTED) for name in (_made(pivot) if pivot.unpivot else ()))
    # How the new columns of PIVOT are called differs from warehouse to warehouse.
    relation = Relation(kept + made, is_open=source.relation.is_open or not pivot.unpivot)
    alias = pivot.args.get("alias")
    columns = [column.name for column in alias.columns] if alias else []
    return Source(pivot.alias or source.name, relation.renamed(columns))


def _unpivoted(pivot: exp.Pivot) -> list[exp.Expr]:
    return [
        expression.this if isinstance(expression, exp.PivotAlias) else expression
        for field in pivot.args["fields"]
        for expression in field.expressions
    ]


def _made(pivot: exp.Pivot) -> list[str]:
    """The columns for values and for their names."""
    named = [*pivot.expressions, *(field.this for field in pivot.args["fields"])]
    return [identifier.name for expression in named for identifier in expression.find_all(exp.Identifier)]
