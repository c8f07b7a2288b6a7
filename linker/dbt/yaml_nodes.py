"""The nodes of a YAML file as its parser gives them: values by key, and what is odd about them."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml

_MERGE = "tag:yaml.org,2002:merge"


class OddYamlError(Exception):
    """Words for why a file, or a part of it, is left as it is."""


def read_nodes(text: str) -> yaml.Node | None:
    """
    The root of the one document; a key that stands twice, as `models:` may, is refused, as dbt
    keeps one of both.
    """
    try:
        # More than one document is none for dbt either.
        root: yaml.Node | None = yaml.compose(text, yaml.SafeLoader)
    except yaml.YAMLError:
        raise OddYamlError("it cannot be read as one YAML document") from None
    for node in all_nodes(root):
        if isinstance(node, yaml.MappingNode):
            _refuse_repeated_keys(node)
    return root


def read_values(text: str) -> Any:  # noqa: ANN401 - whatever a file holds
    """The plain values in a text."""
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError):
        raise OddYamlError("it cannot be read as plain YAML") from None


def all_nodes(root: yaml.Node | None) -> Iterator[yaml.Node]:
    """Each node once."""
    return _nodes(root, Counter())


def shared_nodes(root: yaml.Node | None) -> frozenset[int]:
    """
    By `id` the nodes that stand in several places: what an alias means, and all that is in it.
    """
    times = Counter[int]()
    for _ in _nodes(root, times):
        pass
    return frozenset(node for node, count in times.items() if count > 1)


def child(mapping: yaml.Node | None, key: str) -> yaml.Node | None:
    """The value of a key, which may be that of a mapping that is merged in."""
    if not isinstance(mapping, yaml.MappingNode):
        return None
    for name, value in mapping.value:
        if name.value == key:
            return value  # type: ignore[no-any-return]
    for source in _merged(mapping):
        found = child(source, key)
        if found is not None:
            return found
    return None


def named(sequence: yaml.Node | None, name: str) -> yaml.MappingNode | None:
    """The item of a sequence that has this `name`, whatever its case."""
    for item in sequence.value if isinstance(sequence, yaml.SequenceNode) else ():
        found = child(item, "name")
        if found is not None and str(found.value).lower() == name.lower():
            return item if isinstance(item, yaml.MappingNode) else None
    return None


def holds_all(after: object, before: object) -> bool:
    """
    Tell if values still hold all of others at the same places; an empty one may be filled, a list
    be longer.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        return before.keys() <= after.keys() and all(
            holds_all(after[key], value) for key, value in before.items()
        )
    if isinstance(before, list) and isinstance(after, list):
        return len(before) <= len(after) and all(map(holds_all, after, before))
    if isinstance(before, str) and isinstance(after, str):
        # The last line of a file may get the line break that it lacked.
        return not before.strip() or after.rstrip("\n") == before.rstrip("\n")
    return before is None or (after == before and type(after) is type(before))


def _nodes(node: yaml.Node | None, times: Counter[int]) -> Iterator[yaml.Node]:
    """All nodes once, and how often each one stands somewhere, up to twice."""
    if node is None or times[id(node)] > 1:
        return
    times[id(node)] += 1
    if times[id(node)] == 1:
        yield node
    for item in node.value if isinstance(node, yaml.CollectionNode) else ():
        for part in item if isinstance(item, tuple) else (item,):
            yield from _nodes(part, times)


def _refuse_repeated_keys(mapping: yaml.MappingNode) -> None:
    seen: set[tuple[str, str]] = set()
    for key, _ in mapping.value:
        name = (str(key.tag), str(key.value))
        if name in seen and key.tag != _MERGE:
            raise OddYamlError(
                f"the key `{key.value}` stands twice in it, in line {key.start_mark.line + 1} again"
            )
        seen.add(name)


def _merged(mapping: yaml.MappingNode) -> Iterator[yaml.Node]:
    for name, value in mapping.value:
        if name.tag == _MERGE:
            yield from value.value if isinstance(value, yaml.SequenceNode) else (value,)
