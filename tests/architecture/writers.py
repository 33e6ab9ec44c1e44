"""Find the tables that a service's code writes, in SQLAlchemy statements and in SQL strings."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from llmbench.db.tables import metadata

TABLES = frozenset(metadata.tables)
WRITERS = frozenset({"insert", "update", "delete", "pg_insert"})
# Functions that write a table, with the position of the argument that names the table.
HANDED = {"put": 1, "Relay": 2, "copy_records_to_table": 0}
# Functions that only read the tables passed to them.
READERS = frozenset({"select", "join", "outerjoin", "select_from", "exists", "from_select"})
SQL = re.compile(
    r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+\"?(\w+)", re.IGNORECASE
)
MODULES = ("t", "tables")
"""The names under which modules of tables are imported."""


def written(path: Path) -> set[str]:
    """Return the tables that a file writes.

    The table of a statement may be a variable. Then every table that the file passes to a function counts as written,
    as in `self._save(t.item, …)`. If the file passes none, every table that it mentions counts.
    """
    tree = ast.parse(path.read_text("utf-8"))
    of_a_variable = set(_handed_over(tree)) or set(_mentioned(tree))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {name for name in SQL.findall(node.value) if name in TABLES}
        elif isinstance(node, ast.Call) and (target := _target(node)) is not None:
            name = _table(target)
            found |= {name} if name else of_a_variable
    return found


def _target(call: ast.Call) -> ast.expr | None:
    name = _called(call)
    # Accept `sqlalchemy.insert(table)` and `insert(table)`, but not `messages.insert(0, …)`.
    if name in WRITERS and len(call.args) == 1 and (isinstance(call.func, ast.Name) or _of_sqlalchemy(call.func)):
        return call.args[0]
    at = HANDED.get(name)
    return call.args[at] if at is not None and len(call.args) > at else None


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else str(getattr(call.func, "attr", ""))


def _of_sqlalchemy(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and getattr(function.value, "id", "") in (
        "sa",
        "sqlalchemy",
        "postgresql",
    )


def _table(node: ast.expr) -> str | None:
    """Return the table's name from `run`, `t.run`, `tables.run` or `"run"`; None if the expression names no table."""
    name = (
        node.id
        if isinstance(node, ast.Name)
        else node.attr
        if isinstance(node, ast.Attribute) and _is_module_of_tables(node.value)
        else node.value
        if isinstance(node, ast.Constant)
        else None
    )
    return name if isinstance(name, str) and name in TABLES else None


def _is_module_of_tables(node: ast.expr) -> bool:
    """Return whether the expression names a module of tables. It is true for `t` in `t.run`. It is false for `gate` in
    `gate.task`, because `gate` is a table."""
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return name in MODULES


def _handed_over(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) not in READERS:
            yield from filter(None, map(_table, node.args))


def _mentioned(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in MODULES and node.attr in TABLES:
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("llmbench.db.tables"):
            yield from (alias.name for alias in node.names if alias.name in TABLES)
