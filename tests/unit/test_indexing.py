"""Only changed documents are embedded, and removed ones deleted."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from linker.catalog.documents import plan_index
from linker.types import ColumnRef, Document, Ref, TableRef


def ref(path: str) -> ColumnRef:
    return ColumnRef(TableRef("s", "t"), path)


def document(path: str, digest: str) -> Document:
    return Document(ref(path), f"text of {path}", digest)


def test_new_and_changed_documents_are_embedded_and_the_others_left() -> None:
    documents = [document("new", "1"), document("changed", "2"), document("same", "3")]
    plan = plan_index(documents, {ref("changed"): "1", ref("same"): "3", ref("gone"): "4"})
    assert [str(one.ref) for one in plan.changed] == ["s.t.new", "s.t.changed"]
    assert plan.unchanged_count == 1
    assert plan.gone == (ref("gone"),)
    assert not plan.in_step
    assert plan.to_embed == plan.changed
    assert str(plan) == "2 columns embedded, 1 unchanged, 1 column removed"


def test_what_an_interrupted_run_embedded_is_not_embedded_again() -> None:
    documents = [document("new", "1"), document("newer", "2"), document("same", "3")]
    plan = replace(plan_index(documents, {ref("same"): "3"}), staged={ref("new")})
    assert [str(one.ref) for one in plan.to_embed] == ["s.t.newer"]
    assert not plan.in_step
    assert (
        str(plan)
        == "1 column embedded (1 column by an interrupted run before), 1 unchanged, 0 removed"
    )


states = st.dictionaries(st.text(max_size=3), st.sampled_from(["1", "2"]), max_size=12)


@given(wanted=states, indexed=states)
def test_after_a_plan_is_applied_the_index_equals_the_documents(
    wanted: dict[str, str], indexed: dict[str, str]
) -> None:
    plan = plan_index(
        [document(path, digest) for path, digest in wanted.items()],
        {ref(path): digest for path, digest in indexed.items()},
    )
    after: dict[Ref, str] = {ref(path): digest for path, digest in indexed.items()}
    after.update({one.ref: one.content_hash for one in plan.changed})
    for gone in plan.gone:
        del after[gone]
    assert after == {ref(path): digest for path, digest in wanted.items()}
    assert plan.in_step == (wanted == indexed)
    assert len(plan.changed) + plan.unchanged_count == len(wanted)
