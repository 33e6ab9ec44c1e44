"""Test that only one service writes each table, and that code, table definition and ARCHITECTURE.md name the same
one."""

import subprocess
import sys
from functools import cache

import pytest
from sqlalchemy import Column, Integer, MetaData, Table

from llmbench.db.logins import SERVICE_GRANTS
from llmbench.db.ownership import access, grants, owned_by
from llmbench.db.tables import metadata
from llmbench_cli.embedded.services import SERVICES
from tests.architecture.repository import ROOT
from tests.architecture.writers import written


@cache
def owners() -> dict[str, str]:
    """Return the service that owns each table, as the table's definition names it."""
    return {name: access(table).owner for name, table in metadata.tables.items()}


def test_every_table_owner_is_an_existing_service() -> None:
    assert set(grants(metadata)) <= set(SERVICES)


def test_generated_grants_equal_those_of_the_table_definitions() -> None:
    """The grants are generated, so that the supervisor can read them without SQLAlchemy. Test that the generated file
    is up to date."""
    assert grants(metadata) == SERVICE_GRANTS


def test_module_of_logins_does_not_import_sqlalchemy() -> None:
    """The supervisor of `llmbench up` creates the logins. It must not load SQLAlchemy, to use little memory."""
    loaded = "import sys, llmbench.db.logins; sys.exit('sqlalchemy' in sys.modules)"
    subprocess.run([sys.executable, "-c", loaded], check=True)


def test_table_without_an_owner_is_refused() -> None:
    made_up = MetaData()
    Table("made_up", made_up, Column("id", Integer))
    with pytest.raises(ValueError, match="table made_up names no owner"):
        grants(made_up)


def test_grants_are_derived_from_the_table_definition() -> None:
    made_up = MetaData()
    access_ = owned_by("judge", readers=["gateway-ws"], lockers={"gateway-ws": "id"}, maintainers=["gateway-ws"])
    Table("made_up", made_up, Column("id", Integer), info=access_)
    rights = grants(made_up)
    assert rights["judge"].role == "llmbench_judge"
    assert rights["judge"].writes == ("made_up",)
    assert rights["judge"].reads == ()
    assert rights["gateway-ws"].writes == ()
    assert rights["gateway-ws"].reads == ("made_up",)
    assert rights["gateway-ws"].locks == (("made_up", "id"),)
    assert rights["gateway-ws"].maintains == ("made_up",)


@pytest.mark.parametrize("service", SERVICES)
def test_no_service_writes_another_services_table(service: str) -> None:
    package = ROOT / "services" / service / SERVICES[service]
    strange = {
        f"{path.relative_to(ROOT)} writes {table}"
        for path in package.rglob("*.py")
        for table in written(path)
        if owners().get(table) != service
    }
    assert not strange


def test_search_for_writes_finds_those_of_every_owner() -> None:
    """The function `written` must find at least one write by each service that owns a table. Otherwise it would miss
    forbidden writes, too."""
    for service in set(owners().values()):
        package = ROOT / "services" / service / SERVICES[service]
        assert {table for path in package.rglob("*.py") for table in written(path)}, service
