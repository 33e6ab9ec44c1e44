"""One writer per table: what the code writes, what the tables' files say, and what ARCHITECTURE.md says."""

import importlib
import pkgutil
import re
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import Table

import llmbench.db.tables
from llmbench_cli.embedded.services import SERVICES
from tests.architecture.repository import ROOT, text
from tests.architecture.writers import TABLES, written

OWNED = re.compile(r"^\| `services/([a-z-]+)` \|.*\| ([^|]+) \|$", re.MULTILINE)
NAMED = re.compile(r"Written by (?:the )?([a-z -]+)\.")


@cache
def owners() -> dict[str, str]:
    """Table → service, as ARCHITECTURE.md's table of rooms has it."""
    rows = [
        (table, service)
        for service, cell in OWNED.findall(text(Path("ARCHITECTURE.md")))
        for table in re.findall(r"`(\w+)`", cell)
    ]
    assert len(rows) == len({table for table, _ in rows}), "a table is named twice"
    return dict(rows)


def test_every_table_has_its_owner_in_the_table_of_rooms() -> None:
    assert set(owners()) == TABLES


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_writes_no_table_of_another(service: str) -> None:
    package = ROOT / "services" / service / SERVICES[service]
    strange = {
        f"{path.relative_to(ROOT)} writes {table}"
        for path in package.rglob("*.py")
        for table in written(path)
        if owners().get(table) != service
    }
    assert not strange


def test_writing_is_noticed() -> None:
    """Each owner is seen to write: otherwise the search above would find nothing because it sees nothing."""
    for service in set(owners().values()):
        package = ROOT / "services" / service / SERVICES[service]
        assert {table for path in package.rglob("*.py") for table in written(path)}, service


def test_the_tables_files_name_the_same_owner() -> None:
    for module in pkgutil.iter_modules(llmbench.db.tables.__path__):
        loaded = importlib.import_module(f"{llmbench.db.tables.__name__}.{module.name}")
        named = NAMED.search(loaded.__doc__ or "")
        tables = [value for value in vars(loaded).values() if isinstance(value, Table)]
        if named is None:
            # Outboxes are named after their service's events, one each.
            assert module.name in ("outboxes", "metadata"), module.name
            continue
        for table in tables:
            assert owners()[table.name] == named[1].replace(" ", "-"), table.name
