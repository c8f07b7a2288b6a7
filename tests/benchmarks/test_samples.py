"""Values and nested paths from sample rows."""

from benchmarks.suites.samples import Samples, paths_in_documents


def test_the_kind_of_a_path_is_the_widest_that_its_values_need() -> None:
    documents = [
        {"a": 1, "b": 1, "c": True, "d": {"e": None}},
        [{"a": 2.5}, {"b": "x", "d": 10**18}],
        None,
        "text",
    ]
    assert paths_in_documents("doc", documents) == [
        ("doc.a", "number"),
        ("doc.b", "text"),
        ("doc.c", "boolean"),
        ("doc.d", "number"),
        ("doc.d.e", "json"),
    ]


def test_of_the_paths_in_documents_the_two_hundred_most_frequent_count() -> None:
    documents = [{f"k{number:03}": 1 for number in range(250)}, {"k249": 1}]
    paths = [path for path, _ in paths_in_documents("doc", documents)]
    assert len(paths) == 200
    assert paths[-2:] == ["doc.k198", "doc.k249"]


def test_samples_are_distinct_short_and_few() -> None:
    samples = Samples()
    for value in ("b", "b", " a ", "", "x" * 257, None, False, *range(20)):
        samples.add("c", value)
    assert samples["c"] == ("b", "a", "false", *(str(number) for number in range(7)))
    assert samples["other"] == ()
