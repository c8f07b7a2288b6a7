"""YAML insertions have their meaning and change nothing else."""

import pytest
import yaml

from linker.dbt.yaml_text import BareScalar, Commented, UnsupportedYamlError, YamlText, child, named

ITEMS = [
    Commented(BareScalar("unique"), "60 rows"),
    Commented({"accepted": {"values": ["a: b", "#c"]}}, "two values"),
]
FILES = {
    "block": "models:\n- name: a\n  columns:\n  - name: id\n    description: number\n",
    "indented": "models:\n    -   name: a\n        columns:\n            -   name: id  # the key\n\n# the end",
    "flow": "models: [{name: a, columns: [{name: id}]}]\n",
    "folded": "models:\n- name: a\n  columns:\n  - name: id\n    description: >\n      one\n      two\n\n\n",
    "literal at the end": "models:\n- name: a\n  columns:\n  - name: id\n    description: |-\n      one\n      two",
    "anchor": "models:\n  - &a\n    name: a\n    columns: &columns\n      - &id\n        name: id\n",
    "windows": "models:\r\n  - name: a\r\n    columns:\r\n      - name: id\r\n",
    "null list": "models:\n  - name: a\n    columns:\n      - name: id\n        data_tests:\n",
    "empty list": "models:\n  - name: a\n    columns:\n      - name: id\n        data_tests: []  # none yet\n",
    "quoted name": 'models:\n  - "name": "A"\n    "columns":\n      - {"name": "ID"}\n',
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_tests_are_added_to_a_column_however_the_file_is_written(text: str) -> None:
    file = YamlText(text)
    table = named(child(file.root, "models"), "a") if file.root else None
    assert table is not None
    column = named(child(table, "columns"), "id")
    assert column is not None
    file.extend(column, "data_tests", ITEMS)
    file.extend(table, "columns", [{"name": BareScalar("on"), "description": 'say "no"'}])
    after = yaml.safe_load(str(file))
    before = yaml.safe_load(text)
    assert after["models"][0]["columns"][0].pop("data_tests") == [
        "unique",
        {"accepted": {"values": ["a: b", "#c"]}},
    ]
    assert after["models"][0]["columns"].pop() == {"name": "on", "description": 'say "no"'}
    before["models"][0]["columns"][0].pop("data_tests", None)
    assert after == before
    kept = iter(str(file))
    assert all(letter in kept for letter in text)
    assert str(file).count("# 60 rows") == 1
    assert ("\r\n" in str(file)) == ("\r\n" in text)
    assert str(file).count("\n") == str(file).count("\r\n") or "\r" not in text


def test_an_empty_description_is_filled_and_one_with_words_is_not_touched() -> None:
    text = "a: {name: x, description: }\nb:\n  name: y\n  description: ''  # todo\nc:\n  name: z\nd: {name: n}\n"
    file = YamlText(text)
    for key in "abcd":
        entry = child(file.root, key) if file.root else None
        assert isinstance(entry, yaml.MappingNode)
        file.set(entry, "description", f"words: {key}", below="name")
    assert {key: item["description"] for key, item in yaml.safe_load(str(file)).items()} == {
        key: f"words: {key}" for key in "abcd"
    }
    assert "# todo" in str(file)
    full = YamlText("name: x\ndescription: words\n")
    assert isinstance(full.root, yaml.MappingNode)
    with pytest.raises(UnsupportedYamlError):
        full.set(full.root, "description", "others", below="name")


@pytest.mark.parametrize(
    "text", ["a: [", "--- 1\n--- 2\n", "a: 1\r\rb: 2", "\ufeffa: 1", "a: \u2028b"]
)
def test_what_cannot_be_placed_surely_is_left_alone(text: str) -> None:
    with pytest.raises(UnsupportedYamlError):
        YamlText(text)


@pytest.mark.parametrize(
    "text",
    [
        "shared: &shared\n  - name: id\nmodels:\n  - name: a\n    columns: *shared\n",
        "models:\n  - name: a\n    columns: &shared\n      - name: id\n  - name: b\n    columns: *shared\n",
        "models:\n  - &a\n    name: a\n    columns: [{name: id}]\n  - <<: *a\n    name: b\n",
        "shared: &shared\n  columns: [{name: id}]\nmodels:\n  - <<: *shared\n    name: a\n",
    ],
)
def test_a_list_that_is_meant_in_several_places_is_not_added_to(text: str) -> None:
    file = YamlText(text)
    table = named(child(file.root, "models"), "a")
    assert table is not None
    with pytest.raises(UnsupportedYamlError):
        file.extend(table, "columns", [{"name": "b"}])


def test_an_item_with_a_dash_in_a_line_of_its_own_and_a_trailing_comma_are_gone_on_with() -> None:
    file = YamlText("columns:\n  -\n    name: id\n    data_tests: [unique,]  # ours\n")
    assert isinstance(file.root, yaml.MappingNode)
    column = named(child(file.root, "columns"), "id")
    assert column is not None
    file.extend(file.root, "columns", [{"name": BareScalar("b")}])
    file.extend(column, "data_tests", [BareScalar("not_null")])
    assert str(file) == (
        "columns:\n  -\n    name: id\n    data_tests: [unique, not_null,]  # ours\n  - name: b\n"
    )


def test_blank_lines_after_a_text_that_keeps_them_stay_in_it() -> None:
    text = "a:\n  description: |+\n    words\n\nb: 1\n"
    file = YamlText(text)
    table = child(file.root, "a")
    assert isinstance(table, yaml.MappingNode)
    file.set(table, "meta", BareScalar("x"), below="description")
    assert yaml.safe_load(str(file)) == {"a": {"description": "words\n\n", "meta": "x"}, "b": 1}


def test_no_blank_line_parts_an_item_from_a_text_that_would_keep_it() -> None:
    text = "models:\n  - name: a\n\n  - name: b\n    description: |+\n      words\n"
    file = YamlText(text)
    assert isinstance(file.root, yaml.MappingNode)
    file.extend(file.root, "models", [{"name": BareScalar("c")}])
    assert str(file) == f"{text}  - name: c\n"


def test_a_file_of_windows_without_a_last_line_break_can_be_added_to_twice() -> None:
    text = "models:\r\n  - name: a"
    for name in "bc":
        file = YamlText(text)
        assert isinstance(file.root, yaml.MappingNode)
        file.extend(file.root, "models", [{"name": BareScalar(name)}])
        text = str(file)
    assert text == "models:\r\n  - name: a\r\n  - name: b\r\n  - name: c\r\n"


def test_new_lines_lie_and_are_parted_as_the_others_of_the_file() -> None:
    text = "models:\n-   name: a\n    config:\n        tags: x\n\n-   name: b\n"
    file = YamlText(text)
    assert isinstance(file.root, yaml.MappingNode)
    config = {"config": {"severity": BareScalar("warn")}}
    column = {"name": BareScalar("id"), "data_tests": [{"unique": config}]}
    file.extend(file.root, "models", [{"name": BareScalar("c"), "columns": [column]}])
    assert (
        str(file).removeprefix(text)
        == """
- name: c
  columns:
  - name: id
    data_tests:
    - unique:
          config:
              severity: warn
"""
    )


def test_an_empty_value_in_a_line_is_filled_before_a_further_key() -> None:
    text = "models: [{name: a, data_tests: }, {name: b, data_tests: }]\n"
    file = YamlText(text)
    first, second = (named(child(file.root, "models"), name) for name in "ab")
    assert first is not None
    assert second is not None
    for table in (first, second):
        file.set(table, "description", "words", below="name")
    file.extend(first, "data_tests", [BareScalar("unique")])
    assert yaml.safe_load(str(file))["models"] == [
        {"name": "a", "data_tests": ["unique"], "description": "words"},
        {"name": "b", "data_tests": None, "description": "words"},
    ]
