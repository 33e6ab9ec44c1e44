"""Draw the database tables as entity-relationship diagrams, from their SQLAlchemy definitions."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from types import ModuleType

from sqlalchemy import Column, ForeignKeyConstraint, Table
from sqlalchemy.dialects import postgresql

from llmbench.db import tables
from tools.gen import DOCS, Generated

# The diagram leaves out references to this table: all root tables have one, and their arrows would hide the others.
_OWNER = "organisation"


def entities() -> Generated:
    """Return one page: a diagram of all foreign keys except those to `organisation`, then a diagram of the tables of
    each module of `llmbench.db.tables`."""
    modules = list(_modules())
    lines = [
        "# Entities",
        "",
        "Generated from `llmbench.db.tables` by `make gen`. A line is a foreign key: `||` is exactly one row, `|o`",
        f"none or one, `o{{` any number. Root tables also point to `{_OWNER}` by `org_id`; those lines are left out.",
        "",
        "## Relations",
        "",
        "```mermaid",
        "erDiagram",
        *(line for _, found in modules for table in found for line in relations(table)),
        "```",
    ]
    for module, found in modules:
        title = module.__name__.rpartition(".")[2].capitalize()
        lines += ["", f"## {title}", "", str(module.__doc__).partition("\n")[0], "", "```mermaid", "erDiagram"]
        lines += [line for table in found for line in columns(table)]
        lines += [line for table in found for line in relations(table, among=found)]
        lines.append("```")
    return {DOCS / "entities.md": "\n".join(lines) + "\n"}


def _modules() -> Iterator[tuple[ModuleType, list[Table]]]:
    """Yield each module that defines tables, with its tables in the order of the file."""
    for entry in pkgutil.iter_modules(tables.__path__, f"{tables.__name__}."):
        module = importlib.import_module(entry.name)
        found = [value for value in vars(module).values() if isinstance(value, Table)]
        if found:
            yield module, found


def relations(table: Table, among: Iterable[Table] | None = None) -> list[str]:
    """Return a table's foreign keys as lines of a mermaid diagram, without those to the table `organisation`.

    If `among` is given, return only the keys that refer to one of these tables.
    """
    wanted = None if among is None else {other.name for other in among}
    keys = sorted(table.foreign_key_constraints, key=lambda key: tuple(key.column_keys))
    return [
        f'    {key.referred_table.name} {_parent(key)}--{_child(key)} {table.name} : "{", ".join(key.column_keys)}"'
        for key in keys
        if key.referred_table.name != _OWNER and (wanted is None or key.referred_table.name in wanted)
    ]


def _parent(key: ForeignKeyConstraint) -> str:
    return "|o" if any(column.nullable for column in key.columns) else "||"


def _child(key: ForeignKeyConstraint) -> str:
    return "o|" if set(key.column_keys) == set(key.table.primary_key.columns.keys()) else "o{"


def columns(table: Table) -> list[str]:
    """Return a table as lines of a mermaid diagram. Each line has a column's type, its name, and PK or FK for a primary
    or foreign key."""
    return [f"    {table.name} {{", *(f"        {_column(column)}" for column in table.columns), "    }"]


def _column(column: "Column[object]") -> str:
    kind = column.type.compile(dialect=postgresql.dialect()).lower()  # type: ignore[no-untyped-call]
    words = kind.replace("timestamp with time zone", "timestamptz").replace("double precision", "float8").split()
    keys = [name for name, has in (("PK", column.primary_key), ("FK", bool(column.foreign_keys))) if has]
    return f"{'_'.join(words)} {column.name} {', '.join(keys)}".rstrip()
