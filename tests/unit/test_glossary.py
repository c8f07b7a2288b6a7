"""The glossary: strict parsing, and effect on questions."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.config.settings import load_settings
from linker.config.values import Term
from linker.errors import ConfigError
from linker.linking.prompt_sections import bound_view
from linker.linking.value_linking import read_mentions
from linker.ranking.answerability import check_answerable
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.lexical_match import RetrievalSignals
from linker.ranking.query_analysis import terms_in_question
from linker.ranking.ranker import RankingResult, rank
from linker.ranking.reasons import reasons
from linker.ranking.weights import read_weights
from linker.retrieval.hits import Retrieved
from linker.types import Catalog, ColumnRef, TableRef
from tests.prompts import question as linked_question
from tests.tables import table

SHOP = Catalog(
    (
        table("customer", "customer_id", "first_name", "flag_7"),
        table("t_ledger", "entry_id", "customer_id", "x17", "x18"),
        table("region", "region_id", "region_name"),
    ),
    3,
)
NET = Term("net revenue", columns=("t_ledger.x17",), rule="without tax")


def read(folder: Path, text: str) -> tuple[Term, ...]:
    path = folder / "linker.yml"
    path.write_text(text, "utf-8")
    return load_settings({"config": path}, {}).glossary


def ranked(question: str, *terms: Term) -> RankingResult:
    signals = RetrievalSignals(meanings=terms_in_question(question, terms, SHOP))
    return rank(question, build_catalog_index(SHOP), read_weights(), signals)


def best_column(ranking: RankingResult) -> ColumnRef:
    return ranking.index.lexicon.refs[int(ranking.columns.argmax())]


def test_a_term_has_words_tables_columns_and_a_rule_or_a_list_of_words_and_dotted_names(
    tmp_path: Path,
) -> None:
    terms = read(
        tmp_path,
        "glossary:\n  net revenue: {words: [takings], tables: [ledger], columns: [ledger.x], rule: without  tax}\n"
        "  dormant: [customer.flag_7, inactive]\n",
    )
    assert terms == (
        Term("net revenue", ("takings",), ("ledger",), ("ledger.x",), "without tax"),
        Term("dormant", ("inactive",), (), ("customer.flag_7",)),
    )


def test_what_the_user_says_of_a_word_comes_before_what_the_dbt_project_does() -> None:
    metric = Term("Net Revenue", columns=("t_ledger.x18",), source="dbt metric net_revenue")
    assert best_column(ranked("What is our net revenue?", metric)).path == "x18"
    assert best_column(ranked("What is our net revenue?", NET, metric)).path == "x17"
    [meaning] = terms_in_question("What is our net revenue?", [NET, metric], SHOP)
    assert meaning.term == NET


def test_a_metric_is_the_reason_of_the_columns_that_it_is_computed_from() -> None:
    metric = Term("net revenue", columns=("t_ledger.x18",), source="dbt metric net_revenue")
    ranking = ranked("What is our net revenue?", metric)
    place = ranking.index.lexicon.refs.index(best_column(ranking))
    [reason, *_] = reasons(ranking, read_weights().columns, place)
    assert reason == "dbt metric net_revenue: net revenue"


def test_the_glossary_may_be_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "terms.yml").write_text("dormant: [inactive]\n", "utf-8")
    assert read(tmp_path, f"glossary: {tmp_path / 'terms.yml'}\n") == (
        Term("dormant", ("inactive",)),
    )


def test_a_glossary_whose_file_is_not_there_names_the_file_and_the_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^cannot read nowhere\.yml: No such file") as caught:
        read(tmp_path, "glossary: nowhere.yml")
    assert "`glossary` names the file" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("glossary: 3", "it should have one `term: …` per line"),
        (
            "glossary: {churn: {colums: [a.b]}}",
            "`churn` has `colums`, which is none of words, tables, columns, rule",
        ),
        ("glossary: {churn: {columns: [3]}}", "what `churn` means should be a list of strings"),
        ("glossary: {churn: {rule: [a]}}", "the rule of `churn` should be a string"),
        (
            "glossary: {churn: 3}",
            "`churn` should have a list of words and names, or words, tables, columns, rule",
        ),
    ],
)
def test_a_glossary_that_is_not_valid_is_said_in_one_line(
    tmp_path: Path, text: str, problem: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert "setting `glossary`" in caught.value.what
    assert problem in caught.value.what


def test_a_term_leads_to_the_column_that_it_names_whatever_that_is_called() -> None:
    question = "Net revenue by region"
    assert best_column(ranked(question)).path != "x17"
    ranking = ranked(question, NET)
    assert best_column(ranking) == ColumnRef(TableRef("shop", "t_ledger"), "x17")
    place = ranking.index.lexicon.refs.index(best_column(ranking))
    assert reasons(ranking, read_weights().columns, place)[0] == "glossary: net revenue"


def test_a_term_leads_to_the_table_that_it_names() -> None:
    ranking = ranked("How many bookings?", Term("bookings", tables=("t_ledger",)))
    tables = ranking.index.lexicon.tables
    assert tables[int(ranking.tables.argmax())].ref.name == "t_ledger"


def test_the_words_of_a_term_count_like_the_term() -> None:
    plain, meant = (
        ranked("how many regions"),
        ranked("how many districts", Term("district", words=("region",))),
    )
    assert np.array_equal(plain.evidence.matches.table_names, meant.evidence.matches.table_names)
    assert plain.evidence.matches.table_names.any()


def test_a_term_is_touched_where_its_words_stand_side_by_side_whatever_their_form() -> None:
    assert terms_in_question("net Revenues in March", [NET], SHOP)
    assert not terms_in_question("revenue of the net", [NET], SHOP)


def test_a_name_that_leads_nowhere_is_told_and_the_rest_is_used() -> None:
    term = Term("dormant", columns=("customer.flag_8", "customer.flag_7"))
    [meaning] = terms_in_question("dormant accounts", [term], SHOP)
    assert meaning.refs == (ColumnRef(TableRef("shop", "customer"), "flag_7"),)
    assert meaning.unknown == (
        "glossary term `dormant` names an unknown table or column: "
        "shop.customer has no column `flag_8`; did you mean flag_7?",
    )


def test_a_model_reads_the_terms_that_the_question_touches() -> None:
    question = linked_question()
    term = Term("paid orders", ("settled",), (), ("sales.orders.status",), "status is paid")
    meanings = terms_in_question(
        question.question, [term, Term("churn", ("lost",))], question.catalog
    )
    shown = bound_view(replace(question, read=replace(question.read, meanings=meanings)))
    assert (
        "glossary: 'paid orders' means settled, sales.orders.status; status is paid"
        in shown.splitlines()
    )
    assert "churn" not in shown


def test_a_term_is_spoken_of_where_what_it_names_is_there() -> None:
    assert (
        check_answerable(ranked("dormant", Term("dormant", columns=("customer.flag_7",)))).phrases
        == ()
    )
    assert check_answerable(ranked("dormant")).phrases == ("dormant",)


def test_a_term_stands_for_the_value_that_a_column_which_it_names_holds() -> None:
    flag = ColumnRef(TableRef("shop", "customer"), "flag_7")
    facts = Facts({flag: ColumnFacts(values=("PL", "SI"))})
    platinum = Term("platinum", words=("pl", "best tier"), columns=("customer.flag_7",))
    question = "How many platinum customers are there?"
    found = read_mentions(
        question, Retrieved((), ()), SHOP, facts, terms_in_question(question, [platinum], SHOP)
    ).facts
    assert [str(binding) for binding in found] == [
        "'platinum' is the value 'PL' of shop.customer.flag_7"
    ]
    in_some = Facts({flag: ColumnFacts(values=("PL",), seen_in=(("PL", ("customer_2020",)),))})
    [of_member] = read_mentions(
        question, Retrieved((), ()), SHOP, in_some, terms_in_question(question, [platinum], SHOP)
    ).facts
    assert str(of_member).endswith("of shop.customer.flag_7 (in customer_2020)")
    elsewhere = replace(platinum, columns=("customer.first_name",))
    assert not read_mentions(
        question, Retrieved((), ()), SHOP, facts, terms_in_question(question, [elsewhere], SHOP)
    ).facts
