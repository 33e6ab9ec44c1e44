"""The command `llmbench ci`: run a suite in a CI job. The exit code says whether the result is good enough."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AllowPartial, AsJson, MinPassRate, MinScore, Url


class Annotations(StrEnum):
    """The CI system whose annotations are printed. `AUTO` prints those of GitHub if the job runs there."""

    AUTO = "auto"
    GITHUB = "github"
    NONE = "none"


class Undecided(StrEnum):
    """The effect of an undecided gate on the result of the job: the job fails, or the gate counts as passed."""

    FAIL = "fail"
    OK = "ok"


@asks(
    *("datasets:create", "datasets:delete", "datasets:read", "providers:create", "providers:read"),
    *("runs:create", "runs:read", "suites:create"),
)
def ci(  # noqa: PLR0913  # one parameter per option
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE.yaml", help="A suite, a CI file, or the name of a shipped suite."),
    ],
    *,
    target: Annotated[
        list[str] | None,
        typer.Option("--target", "-t", metavar="PROVIDER:MODEL", help="What to test; may be repeated."),
    ] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="The judge, if an evaluator asks one.")
    ] = None,
    provider: Annotated[
        list[str] | None,
        typer.Option(
            metavar="name=…,url=…,type=…,key_env=…",
            help="A provider. key_env names the environment variable with its key. May be repeated.",
        ),
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE", help="The file with the cases of a dataset; may be repeated."),
    ] = None,
    task: Annotated[list[str] | None, typer.Option(help="Only this task of the suite; may be repeated.")] = None,
    gate: Annotated[
        list[str] | None,
        typer.Option(metavar="METRIC=MARGIN", help="A gate, such as score=0.05 or cost=10%; may be repeated."),
    ] = None,
    undecided: Annotated[
        Undecided, typer.Option(help="ok: an undecided --gate passes, unless the run is certainly worse.")
    ] = Undecided.FAIL,
    baseline: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Compare with the suite's baseline of this label only.")
    ] = None,
    ephemeral: Annotated[
        bool, typer.Option("--ephemeral", help="Use a new platform in a temporary folder, and remove it afterwards.")
    ] = False,
    baseline_file: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="With --ephemeral: the file with the baseline to compare with."),
    ] = None,
    save_baseline: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False,
            help="With --ephemeral: write the run to this file as the new baseline, if the exit code is 0.",
        ),
    ] = None,
    min_score: MinScore = None,
    min_pass_rate: MinPassRate = None,
    allow_partial: AllowPartial = False,
    max_cost_usd: Annotated[
        float | None, typer.Option(min=0, help="Cancel the run when it has cost this much.", show_default=False)
    ] = None,
    timeout: Annotated[
        str | None, typer.Option(metavar="TIME", help="Cancel the run after this time: 90s, 30m, 2h.")
    ] = None,
    check_providers: Annotated[
        bool, typer.Option(help="Ask each provider for its models first, and refuse a missing one.")
    ] = True,
    name: Annotated[str | None, typer.Option(help="The run's name; by default the suite's.")] = None,
    summary: Annotated[Path | None, typer.Option(dir_okay=False, help="Write a summary as Markdown.")] = None,
    junit: Annotated[Path | None, typer.Option(dir_okay=False, help="Write JUnit XML, a case per answer.")] = None,
    code_quality: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write a Code Quality report, which GitLab shows.")
    ] = None,
    annotations: Annotated[
        Annotations, typer.Option(help="Print annotations for GitHub; by default if the job runs there.")
    ] = Annotations.AUTO,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Run a suite, compare the run with a baseline by its gates, and write reports for a CI system.

    The platform is the one at --url or LLMBENCH_URL, else the one that runs here, else one that is started for the
    job. A signal cancels the run.

    Exit codes:
    0    every gate is fine, and every threshold is reached.
    100  worse: a loss beyond a gate's margin is certain, or a threshold is missed.
    101  a gate is undecided.
    102  a gate could not be judged: too few cases are scored in both runs, or they cannot be compared.
    2    an option or argument is wrong, or a gate cannot be relied on.
    1    anything else: something is missing, items failed, or the run took too long.

    More: docs/how-to/ci.md
    """
    import os
    import sys
    from contextlib import nullcontext

    from llmbench_cli.ci.ci_file import gate_of, model_of, provider_of
    from llmbench_cli.ci.findings import fault
    from llmbench_cli.ci.guard import guarded_output
    from llmbench_cli.ci.place import Platform, on_platform, require_place
    from llmbench_cli.ci.reports import Reports
    from llmbench_cli.ci.wanted import Over, dataset_of, read_job
    from llmbench_cli.ci.work import do_job
    from llmbench_cli.embedded.errors import StartError
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.exit_codes import ExitCode
    from llmbench_cli.runs.gates import WeakGate
    from llmbench_cli.runs.output import print_note
    from llmbench_cli.suite_file import BadSuite

    on_github = annotations is Annotations.GITHUB or (
        annotations is Annotations.AUTO and os.environ.get("GITHUB_ACTIONS") == "true"
    )

    def run(reports: Reports) -> int:
        over = Over(
            targets=[model_of(text, "--target") for text in target or ()],
            judge=model_of(judge, "--judge") if judge else None,
            tasks=task or (),
            providers=[provider_of(text) for text in provider or ()],
            datasets=dict(dataset_of(text) for text in dataset or ()),
            gates=[gate_of(text, undecided=undecided.value) for text in gate or ()],
            baseline=baseline,
            max_cost_usd=max_cost_usd,
            timeout=timeout,
            check_providers=check_providers,
            thresholds={
                "min_score": min_score,
                "min_pass_rate": min_pass_rate,
                "allow_partial": True if allow_partial else None,
            },
        )
        require_place(url=url, ephemeral=ephemeral, baseline_file=baseline_file, save_baseline=save_baseline)
        job = read_job(file, over)

        async def work(at: Platform) -> int:
            outcome = await do_job(job, at, name=name, save=save_baseline)
            await reports.write(job, outcome, at, os.environ)
            return outcome.code

        present = baseline_file if baseline_file is not None and baseline_file.exists() else None
        return on_platform(job, work, url=url, ephemeral=ephemeral, baseline_file=present)

    with guarded_output(sys.stderr if as_json else sys.stdout) if on_github else nullcontext() as commands:
        reports = Reports(summary=summary, junit=junit, code_quality=code_quality, commands=commands, as_json=as_json)
        try:
            code = run(reports)
        except WeakGate as weak:
            reports.announce([fault(str(file), 1, str(weak))])
            print_note(f"llmbench: {weak} Nothing was started.")
            raise typer.Exit(ExitCode.REFUSED) from weak
        except BadSuite as bad:
            found = [fault(bad.file, each.line, each.message) for each in bad.faults]
            reports.announce(found or [fault(bad.file, 1, str(bad))])
            for each in bad.faults:
                print_note(f"{bad.file}:{each.line}: {each.message}")
            raise
        except (CommandFailed, StartError) as failed:
            reports.announce([fault(str(file), 1, str(failed))])
            raise
    raise typer.Exit(code)
