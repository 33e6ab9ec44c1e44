"""Write the reports of a CI job: tables, a summary, JUnit XML, a Code Quality report, annotations."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from llmbench_cli.ci.annotations import code_quality, github_command
from llmbench_cli.ci.findings import Finding, findings
from llmbench_cli.ci.outcome import Outcome
from llmbench_cli.ci.place import Platform
from llmbench_cli.ci.summary import summary
from llmbench_cli.ci.wanted import Job
from llmbench_cli.client import Client
from llmbench_cli.console import terminal
from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs import baselines
from llmbench_cli.runs.output import page, print_note, show_result
from llmbench_cli.runs.sink import sink
from llmbench_cli.safe_text import safe_json, safe_line
from llmbench_cli.suite_view import scores_table

STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
_OWN_PLATFORM = "an ephemeral platform, which is removed"


@dataclass(frozen=True)
class Reports:
    """The destinations of a job's reports; a report whose field is None is not written. GitHub's workflow commands are
    written to `commands`. With `as_json`, the result is printed as JSON instead of tables."""

    summary: Path | None = None
    junit: Path | None = None
    code_quality: Path | None = None
    commands: TextIO | None = None
    as_json: bool = False

    async def write(self, job: Job, outcome: Outcome, at: Platform, environment: Mapping[str, str]) -> None:
        """Write all reports, replacing files that exist. The summary is also added to the file that GitHub names in
        the `environment`. Raises `CommandFailed` if a file cannot be written."""
        if self.junit is not None:
            await _export(at.client, outcome.run["id"], self.junit)
        written = summary(outcome)
        if self.summary is not None:
            _write(self.summary, written)
        if step := environment.get(STEP_SUMMARY):
            _write(Path(step), written, append=True)
        self.announce(findings(job, outcome))
        if self.as_json:
            print(_document(outcome, at))
        else:
            _show(outcome, at)
        for reason in outcome.reasons:
            terminal(stderr=True).print(f"✗ {safe_line(reason)}", style="red", soft_wrap=True)
        if outcome.saved is not None:
            print_note(f"this run is the new baseline, in {outcome.saved}")

    def announce(self, found: Sequence[Finding]) -> None:
        """Write the findings as annotations, and as a Code Quality report."""
        if self.commands is not None:
            for finding in found:
                print(github_command(finding), file=self.commands, flush=True)
        if self.code_quality is not None:
            _write(self.code_quality, code_quality(found))


async def _export(client: Client, run_id: str, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with sink(file, force=True) as put:
        async with client.stream(f"/api/runs/{run_id}/export", format="junit") as chunks:
            async for chunk in chunks:
                put(chunk)


def _write(file: Path, text: str, *, append: bool = False) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a" if append else "w", encoding="utf-8", errors="replace") as out:
            out.write(text)
    except OSError as failed:
        raise CommandFailed(f"{file} cannot be written: {failed.strerror}") from failed


def _document(outcome: Outcome, at: Platform) -> str:
    """Return the result as JSON. In its texts `##[` is escaped, because GitHub's runner would take it for a command."""
    document = {
        "exit_code": int(outcome.code),
        "reasons": list(outcome.reasons),
        "url": None if at.own else page(at.client, outcome.run["id"]),
        "run": outcome.run,
        "suite": outcome.suite,
        "baseline": outcome.baseline,
        "changes": asdict(outcome.changes) if outcome.changes else None,
        "saved": outcome.saved,
    }
    return json.dumps(document, indent=2).replace("##[", "#\\u0023[")


def _show(outcome: Outcome, at: Platform) -> None:
    run = safe_json(outcome.run)
    show_result(run, _OWN_PLATFORM if at.own else page(at.client, run["id"]))
    console = terminal()
    console.print(scores_table(safe_json(outcome.suite)))
    if run.get("gates"):
        console.print(baselines.verdict_table(run["gates"]))
