"""Read YAML and remember its lines, so that a later error can be shown with its line."""

from collections.abc import Iterator
from typing import Any

import yaml

Path = tuple[str | int, ...]


class BadYaml(Exception):
    """Raised for a text that cannot be read as YAML, such as one with a duplicate key. `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def read_yaml(text: str) -> tuple[Any, dict[Path, int]]:
    r"""Return the document, and the line of every key and list entry in it. Raises `BadYaml` if the text is no valid
    YAML, or has a key twice.

    >>> read_yaml("a: 1\nb:\n  - c: 2\n")
    ({'a': 1, 'b': [{'c': 2}]}, {(): 1, ('a',): 1, ('b',): 2, ('b', 0): 3, ('b', 0, 'c'): 3})
    """
    try:
        loader = yaml.SafeLoader(text)
    except yaml.reader.ReaderError as wrong:
        line = text.count("\n", 0, wrong.position) + 1
        raise BadYaml(line, f"not YAML: the character U+{wrong.character:04X} is not allowed in it") from None
    try:
        node = loader.get_single_node()
        if node is None:
            return None, {(): 1}
        _check_keys(node)
        # Construction moves merged keys (`<<`) into their mapping's node. They keep the line on which they are written.
        document = loader.construct_document(node)
        return document, {(): node.start_mark.line + 1, **dict(_lines(node, ()))}
    except RecursionError:
        raise BadYaml(1, "an alias refers to what contains it, or the nesting is too deep") from None
    except yaml.MarkedYAMLError as wrong:
        mark = wrong.problem_mark or wrong.context_mark
        raise BadYaml(mark.line + 1 if mark else 1, f"not YAML: {wrong.problem or wrong.context}") from None
    except (yaml.YAMLError, ValueError) as wrong:
        raise BadYaml(1, f"not YAML: {wrong}") from None
    finally:
        loader.dispose()


def line_of(path: Path, lines: dict[Path, int]) -> int:
    """Return the line of the entry at the path, or of the nearest enclosing entry; 1 if there is none.

    >>> line_of(("a", 0, "missing"), {(): 1, ("a",): 2, ("a", 0): 3})
    3
    """
    while path not in lines and path:
        path = path[:-1]
    return lines.get(path, 1)


def _check_keys(node: yaml.Node) -> None:
    """Raise `BadYaml` if a mapping in the document has a key twice: YAML readers silently use the last one."""
    if isinstance(node, yaml.SequenceNode):
        for entry in node.value:
            _check_keys(entry)
    elif isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                    raise BadYaml(line, f"'{key.value}' is here twice; the first is in line {seen[key.value]}")
                seen[key.value] = line
            _check_keys(value)


def _lines(node: yaml.Node, path: Path) -> Iterator[tuple[Path, int]]:
    if isinstance(node, yaml.SequenceNode):
        for index, entry in enumerate(node.value):
            yield (*path, index), entry.start_mark.line + 1
            yield from _lines(entry, (*path, index))
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield (*path, key.value), key.start_mark.line + 1
                yield from _lines(value, (*path, key.value))
