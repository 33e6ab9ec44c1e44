"""The command `llmbench doctor`: check the platform and this machine, and say what to do if something is wrong."""

import asyncio
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.rights import works_here

if TYPE_CHECKING:
    from llmbench_cli.doctor.findings import Finding
    from llmbench_cli.embedded.home import Runtime
    from llmbench_cli.settings import CliSettings


@works_here
def doctor(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with all findings.")] = False,
) -> None:
    """Check the running stack (or the platform at LLMBENCH_URL), and whether this machine lacks what llmbench needs.

    Exit code 1 when something is wrong.
    """
    from llmbench_cli.embedded.leftovers import living
    from llmbench_cli.memory import SUPERVISOR, measured
    from llmbench_cli.running import living_stack

    runtime = living_stack()
    findings = asyncio.run(_all_findings(runtime))
    well = all(finding.ok for finding in findings)
    if as_json:
        print(json.dumps({"ok": well, "findings": [asdict(finding) for finding in findings]}, indent=2))
    else:
        console = Console()
        console.print(_table(findings))
        if runtime is not None:
            pids = {child.name: child.pid for child in runtime.children if living(child)}
            console.print(asyncio.run(measured({**pids, SUPERVISOR: runtime.supervisor.pid}, settle_s=0)))
        console.print("[green]All is well.[/]" if well else "[red]Something is wrong: see the rows marked ✗.[/]")
    raise typer.Exit(ExitCode.OK if well else ExitCode.FAILED)


async def _all_findings(runtime: "Runtime | None") -> "list[Finding]":
    from llmbench_cli.doctor import looks
    from llmbench_cli.embedded.binaries import has_platform_files, platform_files
    from llmbench_cli.running import home_of, platform_url
    from llmbench_cli.settings import read_settings

    settings = read_settings()
    home = home_of(settings)
    if runtime is not None:
        platform = await _stack_findings(runtime)
    elif settings.url is not None:
        platform = await _remote_findings(platform_url(settings.url), settings)
    else:
        platform = [looks.nothing_runs(home)]
    return [
        *looks.versions(),
        *looks.libraries(),
        *await looks.programs(),
        *(looks.web_application(platform_files() / "web" / "dist") if has_platform_files() else ()),
        *looks.disk(home),
        *looks.key(home, own=bool(settings.master_key)),
        *looks.weights(),
        *looks.embeddings(),
        *platform,
    ]


async def _stack_findings(runtime: "Runtime") -> "list[Finding]":
    from llmbench_cli.doctor import looks
    from llmbench_cli.settings import read_settings

    settings = read_settings()
    groups = await asyncio.gather(
        looks.readiness(runtime),
        looks.schema(settings.database_url or runtime.database_url),
        looks.streams(settings.nats_url or runtime.nats_url, settings.nats_tls()),
        looks.providers(runtime.url),
    )
    return [*looks.processes(runtime), *(finding for group in groups for finding in group)]


async def _remote_findings(url: str, settings: "CliSettings") -> "list[Finding]":
    """Check a platform on other machines: its services and providers over HTTP, and the database and NATS if the
    settings name them."""
    from llmbench_cli.doctor import looks

    groups = await asyncio.gather(
        looks.readiness_behind(url),
        *((looks.schema(settings.database_url),) if settings.database_url else ()),
        *((looks.streams(settings.nats_url, settings.nats_tls()),) if settings.nats_url else ()),
        looks.providers(url),
    )
    return [finding for group in groups for finding in group]


def _table(findings: "list[Finding]") -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(4):
        table.add_column(overflow="fold")
    before = ""
    for finding in findings:
        mark = _mark(finding)
        text = escape(finding.detail) + (f"\n[yellow]{escape(finding.advice)}[/]" if finding.advice else "")
        table.add_row(mark, "" if finding.about == before else f"[dim]{finding.about}[/]", escape(finding.name), text)
        before = finding.about
    return table


def _mark(finding: "Finding") -> str:
    if not finding.ok:
        return "[red]✗[/]"
    return "[yellow]![/]" if finding.advice else "[green]✓[/]"
