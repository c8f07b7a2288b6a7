"""Code size counted on examples worked out by hand."""

from benchmarks.code_size import CodeSize


def size_of(source: str) -> CodeSize:
    size = CodeSize()
    size.add(source)
    return size


def test_words_and_layout_are_no_tokens() -> None:
    dense = size_of("def f(a):\n    return a\n")
    # def f ( a ) : return a
    assert dense.tokens == 8
    assert dense.lines == [2]
    source = '"""A module."""\n\n# A comment.\ndef f(\n    a\n):\n    """A function."""\n\n    return a\n'
    assert size_of(source).tokens == 8
    assert size_of('x = """No docstring."""\n').tokens == 3


def test_what_lies_in_a_comprehension_or_a_condition_is_counted_where_it_lies() -> None:
    size = size_of("flat = [b for a in rows for b in a]\n")
    assert (size.comprehensions, size.nested_comprehensions) == (1, 0)
    size = size_of("deep = {a: [c for c in b if (d := c)] for a, b in rows if (e := a)}\n")
    assert (size.comprehensions, size.nested_comprehensions) == (2, 1)
    assert size.walrus_in_comprehensions == 2
    size = size_of("x = 1 if a else 2 if b else 3\ny = 1 if a else 2\nif (z := x): pass\n")
    assert (size.nested_conditionals, size.walrus_in_comprehensions) == (1, 0)
