"""The command `llmbench run`: start the run that a file describes, and follow it.

The exit code reports whether the run reaches its thresholds and passes its gate.
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AllowPartial, AsJson, Detach, MinPassRate, MinScore, Url


class SampleStrategy(StrEnum):
    """The rule by which the cases of a sample are chosen."""

    RANDOM = "random"
    STRATIFIED = "stratified"


@asks("collections:read", "presets:read", "providers:read", "runs:create", "runs:read")
def run(  # noqa: PLR0913  # one parameter per option
    file: Annotated[Path, typer.Argument(metavar="FILE.yaml", dir_okay=False, help="What to run.", show_default=False)],
    *,
    as_json: AsJson = False,
    detach: Detach = False,
    min_score: MinScore = None,
    min_pass_rate: MinPassRate = None,
    allow_partial: AllowPartial = False,
    preset: Annotated[
        str | None,
        typer.Option(help="The name of a preset (`llmbench presets list`), for settings that the file omits."),
    ] = None,
    queue: Annotated[bool, typer.Option("--queue", help="Wait in the queue while another run is active.")] = False,
    priority: Annotated[
        int | None,
        typer.Option(
            min=-100,
            max=100,
            help="The priority in the queue: a higher one runs first. Implies --queue.",
            show_default=False,
        ),
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Run a sample of this many cases; by default all.", show_default=False)
    ] = None,
    sample_strategy: Annotated[
        SampleStrategy | None,
        typer.Option(help="stratified: the same share of each category. The default is random.", show_default=False),
    ] = None,
    sample_seed: Annotated[
        int | None,
        typer.Option(
            min=0, help="The sample's seed; by default it is derived from the run's name.", show_default=False
        ),
    ] = None,
    parallel_groups: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=16,
            help="How many models of different hosted providers run side by side; by default 1.",
            show_default=False,
        ),
    ] = None,
    url: Url = None,
) -> None:
    """Start the run that a file describes and follow it until it is over.

    Exit codes:
    0    complete, and every threshold is reached.
    100  complete, but a target misses a threshold, or the gate says worse.
    101  the gate is undecided.
    102  a gate could not be judged: too few cases are scored in both runs, or they cannot be compared.
    2    an option or argument is wrong, or the gate is refused, before or after the run.
    130  you stopped watching; the run goes on.
    1    anything else: items failed, or the run was cancelled or paused at its cost limit.

    The fields of the file: docs/how-to/run-from-the-command-line.md
    """
    from llmbench_cli.errors import CommandFailed, Refused
    from llmbench_cli.runs import gates
    from llmbench_cli.runs.names import run_body
    from llmbench_cli.runs.output import print_note
    from llmbench_cli.runs.run_file import read_run_file
    from llmbench_cli.runs.session import Session, go_on, in_session, merged
    from llmbench_cli.runs.start import start

    wanted, source = read_run_file(file)
    thresholds = merged(
        wanted.thresholds, min_score=min_score, min_pass_rate=min_pass_rate, allow_partial=allow_partial
    )

    async def work(session: Session) -> int:
        body = await run_body(session.client, wanted, source, preset_name=preset)
        over = {"size": sample, "strategy": sample_strategy and sample_strategy.value, "seed": sample_seed}
        if over := {name: value for name, value in over.items() if value is not None}:
            body["sample"] = body.get("sample", {}) | over
            if not {"size", "tags"} & body["sample"].keys():
                raise CommandFailed("--sample-strategy and --sample-seed need --sample, or a sample in the file")
        if queue or priority is not None:
            body["queue"] = True
        if priority is not None:
            body["priority"] = priority
        if parallel_groups is not None:
            body["parallel_groups"] = parallel_groups
        if wanted.gate is not None:
            try:
                await gates.require_holding(session.client, body["baseline_run_id"], wanted.gate)
            except (gates.WeakGate, Refused) as refused:
                print_note(f"llmbench: the gate is refused, and nothing was started: {refused}")
                return gates.REFUSED
        try:
            made = await start(session.client, "/api/runs", body, notify=print_note)
        except Refused as refused:
            active = refused.problem.get("active_run_id")
            if active is not None:
                hint = (
                    f"Follow it with `llmbench watch {active}`, end it with `llmbench cancel {active}`, or wait for it "
                    "with `llmbench run --queue`."
                )
                raise CommandFailed(f"{refused.reason} {hint}") from refused
            raise source.refused(refused.errors) or refused from refused
        return await go_on(session, made, detach=detach, as_json=as_json, thresholds=thresholds, gate=wanted.gate)

    raise typer.Exit(in_session(url, work))
