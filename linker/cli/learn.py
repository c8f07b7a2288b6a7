"""`linker learn`: ingests query logs for table usage and joins."""

import json
from typing import TYPE_CHECKING, Any

import click

from linker.cli.options import report_format, settings_options
from linker.cli.output import opened
from linker.cli.progress import show_lines
from linker.errors import ConfigError
from linker.output import as_json
from linker.text.commands import pasted
from linker.text.escaping import escape_invisible, one_line
from linker.text.numbers import counted as named_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linker.environment import Environment
    from linker.usage.counting import Counted
    from linker.usage.sources import LearnedBefore, UsageSource


@click.command()
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option(
    "--history", "of_warehouse", is_flag=True, help="Read the query history of the warehouse."
)
@click.option(
    "--forget",
    "forgotten",
    multiple=True,
    metavar="SOURCE",
    help="Remove a source; repeatable.",
)
@click.option("--list", "only_list", is_flag=True, help="List the sources, and read none.")
@report_format
@settings_options
def learn(
    sources: tuple[str, ...],
    of_warehouse: bool,
    forgotten: tuple[str, ...],
    only_list: bool,
    form: str,
    **flags: Any,  # noqa: ANN401 - the flags of settings_options
) -> None:
    """
    Read query logs for usage statistics: which columns are used, and how tables join.

    A source is a SQL file or folder, a JSON Lines file with a `query` or `query_text`, or dbt's
    manifest.json after `dbt compile`. Only names of tables and columns and their counts are stored,
    no literals or query texts. Reading a source again replaces its statistics. The default sources
    are those of the setting `usage_sources`.

    \b
    Examples:
      linker learn queries.sql
      linker learn target/manifest.json --history
      linker learn --forget queries.sql
      linker learn --list
    """
    from linker.usage.sources import HISTORY, forget

    if only_list and (sources or of_warehouse or forgotten):
        raise ConfigError("--list takes no sources", hint="omit the sources, or --list")
    with opened(flags) as environment:
        if only_list:
            _listed(environment, form)
            return
        wanted = (*sources, HISTORY) if of_warehouse else sources
        if not wanted and not forgotten:
            wanted = environment.settings.usage_sources
            if not wanted:
                raise ConfigError(
                    "missing source",
                    hint="linker learn queries.sql; or: linker learn --history",
                )
        gone = [forget(environment, source) for source in forgotten]
        _learned(environment, wanted, gone, form)


def _learned(
    environment: "Environment", wanted: "Sequence[str]", gone: list[str], form: str
) -> None:
    from linker.usage.sources import learn, summary_of

    done = []
    for source in wanted:
        with show_lines("learn", f"reads {source}") as running:
            done.append(learn(environment, source, running.on_progress))
    if form == "json" and (done or gone):
        learned = [
            {
                "source": lesson.source,
                "unchanged": lesson.is_unchanged,
                **summary_of(lesson.counted),
            }
            for lesson in done
        ]
        click.echo(as_json({"learned": learned, "forgotten": gone}))
        return
    for name in gone:
        click.echo(forgotten_line(name))
    for lesson in done:
        click.echo(learned_table(lesson))


def _listed(environment: "Environment", form: str) -> None:
    from linker.usage.sources import kept

    sources = kept(environment)
    if form == "json":
        records = [
            {"source": source.source, "learned_at": source.learned_at, **source.counts}
            for source in sources
        ]
        click.echo(as_json({"kept": records}))
        return
    for source in sources:
        click.echo(kept_line(source))
    if not sources:
        click.echo(pasted("no sources yet; run: linker learn queries.sql"), err=True)


_JOINS_SHOWN = 10
_TERMS_SHOWN = 10


def learned_table(learned: "UsageSource") -> str:
    """Counts of statements, tables, columns and new joins of a source."""
    counted = learned.counted
    lines = [
        (
            f"{one_line(learned.source)}   "
            f"{_read(counted)}{' · unchanged' if learned.is_unchanged else ''}"
        )
    ]
    if counted.skipped:
        lines.append(f"  skipped     {_skipped(counted)}")
    if counted.used:
        used = ((counted.tables, "table"), (counted.columns, "column"), (counted.joins, "join"))
        lines.append(
            f"  they use    {' · '.join(named_count(count, noun) for count, noun in used)}"
        )
    if counted.new_joins:
        lines.append(f"  new joins   {len(counted.new_joins):,} not declared as a key")
        for (left, right), use in counted.new_joins[:_JOINS_SHOWN]:
            lines.append(f"    {escape_invisible(f'{left} = {right}')}   {use}")
        if more := len(counted.new_joins) - _JOINS_SHOWN:
            lines += [f"    and {more:,} more; --format json lists them"] if more > 0 else []
    if counted.terms:
        lines.append("  terms       column aliases in queries; add correct ones to linker.yml:")
        lines.append("    glossary:")
        lines += [
            f"      {json.dumps(one_line(term), ensure_ascii=False)}: [{escape_invisible(ref)}]"
            for (term, ref), _ in counted.terms[:_TERMS_SHOWN]
        ]
    return "\n".join(lines)


def kept_line(kept: "LearnedBefore") -> str:
    """One line for a stored source."""
    if kept.prior_use is None:
        again = f"{pasted('linker learn')} {one_line(kept.source)}"
        return f"{one_line(kept.source)}   read by another version; run: {again}"
    usage = kept.prior_use
    queries = f"{usage.queries:,} distinct {'query' if usage.queries == 1 else 'queries'}"
    facts = (
        f"{queries} · {named_count(len(usage.tables), 'table')} · "
        f"{named_count(len(usage.joins), 'join')}"
    )
    return f"{one_line(kept.source)}   {facts} · read {kept.learned_at:%Y-%m-%d %H:%M} UTC"


def forgotten_line(source: str) -> str:
    """One line for a removed source."""
    return f"{one_line(source)}   forgotten"


def _read(counted: "Counted") -> str:
    different = f", {counted.queries:,} distinct" if counted.queries != counted.used else ""
    partly = f"; {counted.partly:,} only partly" if counted.partly else ""
    return (
        f"{counted.read:,} statements read · {counted.used:,} used{different}{partly} · "
        f"{counted.skipped:,} skipped"
    )


def _skipped(counted: "Counted") -> str:
    reasons = (
        (counted.broken, "cannot be parsed"),
        (counted.other_tables, "on tables outside the catalog"),
        (counted.no_table, "without tables"),
    )
    return " · ".join(f"{count:,} {why}" for count, why in reasons if count)
