"""Try every command with every kind of API key on a platform with LLMBENCH_AUTH=on.

The rights that a command declares are compared with the rights that its requests need. The commands run in this
process, one after another: a thousand processes would take too long.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import typer
from typer.testing import CliRunner

from llmbench_cli.main import commands
from llmbench_cli.rights import asks, works_here
from tests.security.access_cells import STATUS, chosen
from tests.security.access_commands import (
    AFTER_A_FAILURE,
    AFTER_A_LOOK,
    WITH_A_SUITE,
    Files,
    furnish_more,
    harmless,
    working,
)
from tests.security.access_world import World, access_world, kept_rows
from tools.gen.access_table import Caller, Outcome, Row, Unclassified, command_rows, routes
from tools.gen.openapi import documents

OF_WORDS = re.compile(r"\{\w+\}")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world() -> AsyncIterator[World]:
    async with access_world() as opened:
        await furnish_more(opened.stack, opened.has)
        yield opened


@pytest.fixture
def files(world: World, tmp_path: Path) -> Files:
    written = Files(tmp_path)
    written.write(world.has)
    return written


@dataclass
class Requests:
    """The requests that commands have sent to the platform: method, path and status."""

    sent: list[tuple[str, str, int]] = field(default_factory=list)

    def rights(self, rows: list[Row]) -> set[str]:
        """Return the rights that are needed for the requests sent so far. `rows` has the rights of all routes."""
        found: set[str] = set()
        for method, path, _ in self.sent:
            # A fixed path such as /api/runs/queue comes before one with an id.
            fitting = [row for row in rows if row.method == method and _matches(row.path, path)]
            found |= min(fitting, key=lambda row: row.names_something).rights
        return found

    @property
    def refusals(self) -> set[int]:
        return {status for _, _, status in self.sent if status in (401, 403)}


def _matches(template: str, path: str) -> bool:
    return re.fullmatch(OF_WORDS.sub("[^/]+", template), path) is not None


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> Requests:
    """Return the record of all requests that are sent by httpx in this test."""
    recorded = Requests()
    send = httpx.AsyncClient.send

    async def recording(self: httpx.AsyncClient, request: httpx.Request, **options: Any) -> httpx.Response:
        response = await send(self, request, **options)
        recorded.sent.append((request.method, request.url.path, response.status_code))
        return response

    monkeypatch.setattr(httpx.AsyncClient, "send", recording)
    return recorded


@dataclass
class Llmbench:
    """The command line of llmbench, whose commands run in this process."""

    monkeypatch: pytest.MonkeyPatch
    url: str

    def __call__(self, command: str, arguments: tuple[str, ...], *, key: str | None) -> tuple[int, str]:
        """Run a command. Return its exit code, and everything that it printed."""
        if key is None:
            self.monkeypatch.delenv("LLMBENCH_API_KEY", raising=False)
        else:
            self.monkeypatch.setenv("LLMBENCH_API_KEY", key)
        result = CliRunner().invoke(commands, [*command.split(), *arguments])
        return result.exit_code, f"{result.output}{result.exception or ''}"


@pytest.fixture
def llmbench(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Llmbench:
    monkeypatch.setenv("LLMBENCH_URL", world.stack.url)
    monkeypatch.setenv("LLMBENCH_HOME", str(tmp_path / "home"))
    return Llmbench(monkeypatch, world.stack.url)


def test_every_command_says_what_it_needs_and_is_tried(world: World, files: Files) -> None:
    asking = {row.name for row in command_rows() if row.rights}
    assert working(world.has, files).keys() == asking


def test_command_that_declares_nothing_is_an_error() -> None:
    app = typer.Typer()

    @app.command("new")
    def new() -> None: ...

    @app.command("wrong")
    @asks("runs:everything")
    def wrong() -> None: ...

    with pytest.raises(Unclassified, match="`llmbench new` does not say what it needs"):
        list(command_rows(app))
    works_here(new)
    with pytest.raises(Unclassified, match="`llmbench wrong` needs runs:everything, which is no right"):
        list(command_rows(app))


@pytest.mark.shows("S-50")
@pytest.mark.parametrize(
    "arguments",
    [
        ("plans", "list"),
        ("organisations", "list"),
        ("organisations", "erase", "elsewhere", "--yes"),
        ("plans", "give", "elsewhere", "ENTERPRISE"),
        ("migrate",),
        ("events",),
        ("backup", "none.tar"),
    ],
    ids=" ".join,
)
def test_key_of_an_owner_does_not_replace_the_machine(
    world: World, llmbench: Llmbench, requests: Requests, arguments: tuple[str, ...]
) -> None:
    """These commands need the logins of the PostgreSQL and NATS servers, which only the platform's machine has. With
    just an owner's API key they fail, and send no request to the platform's URL."""
    assert {row.works_here for row in command_rows() if row.name in (arguments[0], " ".join(arguments[:2]))} == {True}
    code, _ = llmbench(arguments[0], arguments[1:], key=world.keys[Caller.OWNER])
    assert (code, requests.sent) == (1, [])


@pytest.mark.shows("S-50")
def test_refused_key_is_told_and_changes_nothing(
    world: World, files: Files, llmbench: Llmbench, requests: Requests, pytestconfig: pytest.Config
) -> None:
    before = asyncio.run(kept_rows(world))
    work, faults = working(world.has, files), []
    for cell in chosen(command_rows(), pytestconfig):
        if cell.refused:
            for arguments in work[cell.row.name]:
                requests.sent.clear()
                code, output = llmbench(cell.row.name, arguments, key=world.key(cell.row, cell.caller))
                if code == 0 or requests.refusals != {STATUS[cell.expected]}:
                    faults.append(f"{cell}: exit code {code}, {requests.sent}: {output[:300]}")
    assert not faults, "\n".join(faults)
    after = asyncio.run(kept_rows(world))
    assert after == before, [table for table in before if before[table] != after[table]]


@pytest.mark.shows("S-50")
def test_allowed_key_is_refused_nowhere(
    world: World, files: Files, llmbench: Llmbench, requests: Requests, pytestconfig: pytest.Config
) -> None:
    work, faults = harmless(working(world.has, files), files), []
    for cell in chosen(command_rows(), pytestconfig):
        if not cell.refused:
            for arguments in work[cell.row.name]:
                requests.sent.clear()
                code, output = llmbench(cell.row.name, arguments, key=world.key(cell.row, cell.caller))
                if requests.refusals:
                    faults.append(f"{cell}: exit code {code}, {requests.sent}: {output[:300]}")
                said = output
                for argument in arguments:
                    said = said.replace(argument, "")
                if cell.expected is Outcome.OWN_ONLY and world.has.marker in said:
                    faults.append(f"{cell} shows what the other organisation has: {output[:300]}")
    assert not faults, "\n".join(faults)


@pytest.mark.shows("S-50")
def test_declared_rights_are_those_of_the_requests(
    world: World, files: Files, llmbench: Llmbench, requests: Requests
) -> None:
    """The rights that a command declares must be the rights that its requests need. This test must come last: it runs
    every command as the owner, and so deletes objects that other tests need."""
    rows = list(routes(documents()))
    declared = {row.name: row.rights for row in command_rows()}
    faults = []
    for name, uses in working(world.has, files).items():
        requests.sent.clear()
        said = [llmbench(name, arguments, key=world.keys[Caller.OWNER]) for arguments in uses]
        sent = requests.rights(rows)
        optional = [each.get(name, set()) for each in (AFTER_A_FAILURE, AFTER_A_LOOK, WITH_A_SUITE)]
        if sent.union(*optional) != declared[name]:
            faults.append(f"{name} declares {sorted(declared[name])}, and needed {sorted(sent)}: {said}")
    assert not faults, "\n".join(faults)
