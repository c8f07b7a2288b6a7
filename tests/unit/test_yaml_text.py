"""Additions to YAML: what is added means what it should, and everything else stays as somebody wrote it."""

import pytest
import yaml

from linker.dbt.yaml_text import Noted, OddYamlError, Plain, YamlText, child, named

ITEMS = [Noted(Plain("unique"), "60 rows"), Noted({"accepted": {"values": ["a: b", "#c"]}}, "two values")]
FILES = {
    "block": "models:\n- name: a\n  columns:\n  - name: id\n    description: number\n",
    "indented": "models:\n    -   name: a\n        columns:\n            -   name: id  # the key\n\n# the end",
    "flow": "models: [{name: a, columns: [{name: id}]}]\n",
    "folded": "models:\n- name: a\n  columns:\n  - name: id\n    description: >\n      one\n      two\n\n\n",
    "literal at the end": "models:\n- name: a\n  columns:\n  - name: id\n    description: |-\n      one\n      two",
    "anchor": "models:\n  - &a\n    name: a\n    columns: &columns\n      - &id\n        name: id\nother: *columns\n",
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
    file.extend(table, "columns", [{"name": Plain("on"), "description": 'say "no"'}])
    after = yaml.safe_load(str(file))
    before = yaml.safe_load(text)
    assert after["models"][0]["columns"][0].pop("data_tests") == ["unique", {"accepted": {"values": ["a: b", "#c"]}}]
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
    assert {key: each["description"] for key, each in yaml.safe_load(str(file)).items()} == {
        key: f"words: {key}" for key in "abcd"
    }
    assert "# todo" in str(file)
    full = YamlText("name: x\ndescription: words\n")
    assert isinstance(full.root, yaml.MappingNode)
    with pytest.raises(OddYamlError):
        full.set(full.root, "description", "others", below="name")


@pytest.mark.parametrize("text", ["a: [", "--- 1\n--- 2\n", "a: 1\r\rb: 2", "\ufeffa: 1", "a: \u2028b"])
def test_what_cannot_be_placed_surely_is_left_alone(text: str) -> None:
    with pytest.raises(OddYamlError):
        YamlText(text)


def test_a_list_that_stands_elsewhere_is_not_added_to() -> None:
    file = YamlText("shared: &shared\n  - name: id\nmodels:\n  - name: a\n    columns: *shared\n")
    table = named(child(file.root, "models"), "a") if file.root else None
    assert table is not None
    with pytest.raises(OddYamlError):
        file.extend(table, "columns", [{"name": "b"}])
