"""Do the work of a CI job on a platform: prepare it, run the suite, and compare the run with the baseline."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from llmbench_cli.ci.baseline import Subject, baseline_of, keep, write_file
from llmbench_cli.ci.changes import read_changes
from llmbench_cli.ci.datasets import have_datasets
from llmbench_cli.ci.outcome import Changes, Outcome
from llmbench_cli.ci.place import Platform
from llmbench_cli.ci.progress import steady
from llmbench_cli.ci.providers import have_providers
from llmbench_cli.ci.wanted import Job
from llmbench_cli.client import Client, Json
from llmbench_cli.console import terminal
from llmbench_cli.errors import CommandFailed
from llmbench_cli.exit_codes import ExitCode
from llmbench_cli.runs import baselines
from llmbench_cli.runs.follow import follow
from llmbench_cli.runs.output import print_note
from llmbench_cli.runs.start import start
from llmbench_cli.runs.suite_body import model_of
from llmbench_cli.runs.verdict import verdict
from llmbench_cli.shipped_suites import add_shipped
from llmbench_cli.suite_file import apply_suite

_RUNS = "/v1/benchmarks/runs"
_CANCEL_S = 5.0


async def do_job(job: Job, at: Platform, *, name: str | None, save: Path | None) -> Outcome:
    """Do the job and return its result. `name` is the name of the run. If `save` is given and the exit code is 0, the
    run is written to that file as the new baseline.

    If the job is cancelled, the run is cancelled too. Raises `WeakGate`, before the run is started, if a gate would
    pass an unchanged model too rarely. Raises `CommandFailed` if something is missing or refused.
    """
    client = at.client
    await have_providers(client, job.providers, own=at.own)
    for line in await have_datasets(client, job.datasets):
        print_note(line)
    suite = await _suite(client, job)
    subject = {"kind": "suite", "id": suite["family_id"], "name": suite["name"]}
    found = await baseline_of(client, job, subject, own=at.own, saving=save is not None)
    run, late = await _run(client, _body(job, suite, name, found), job.timeout_s)
    code, reasons = _verdict(job, run, late, found)
    scores = await client.get(f"/api/runs/{run['id']}/suite")
    compared = found or await _compared_with(client, run)
    outcome = Outcome(code, reasons, run, scores, compared, await _changes(client, compared, run))
    if save is None or outcome.code != ExitCode.OK:
        return outcome
    return await _saved(job, at, subject, outcome, found, save)


async def _suite(client: Client, job: Job) -> Json:
    """Create or change the suite on the platform as the job describes it, and return its published version."""
    if job.suite is not None:
        applied = await apply_suite(client, job.suite, publish=True)
    else:
        applied = await add_shipped(client, job.shipped or "")
    suite: Json = applied["suite"]
    print_note(f"suite {suite['name']} v{suite['version_number']}, {suite['total_items']} answers per target")
    return suite


def _body(job: Job, suite: Json, name: str | None, baseline: Json | None) -> Json:
    models = []
    for target in job.targets:
        params = target.params.model_dump(exclude_unset=True) if target.params else None
        chosen = {
            **model_of(target.model),
            "label": target.label,
            "version": target.version,
            "config": params,
            "concurrency": target.concurrency,
        }
        models.append({field: value for field, value in chosen.items() if value is not None})
    body: Json = {
        "suite_id": suite["id"],
        "models": models,
        "name": name,
        "tasks": list(job.tasks) if job.tasks else None,
        "max_cost_usd": job.max_cost_usd,
        "check_providers": job.check_providers,
        "baseline_label": baseline["label"] if baseline else None,
    }
    if job.judge:
        body["judge"] = model_of(job.judge)
    return {field: value for field, value in body.items() if value is not None}


async def _run(client: Client, body: Json, timeout_s: int | None) -> tuple[Json, bool]:
    """Start the run and follow it to its end. Return the run, and whether it was cancelled because it took too long.

    A run that pauses at its cost limit is cancelled as well, because a CI job does not resume it.
    """
    starting = asyncio.ensure_future(start(client, _RUNS, body, notify=print_note))
    try:
        run_id = str((await asyncio.shield(starting))["run_id"])
    except asyncio.CancelledError:
        # The platform may have started the run already.
        with suppress(Exception):
            async with asyncio.timeout(_CANCEL_S):
                await _cancel(client, str((await starting)["run_id"]))
        raise
    limit = asyncio.timeout(timeout_s)
    try:
        async with limit, steady(terminal(stderr=True)) as view:
            run = await follow(client, run_id, view)
    except TimeoutError:
        if not limit.expired():
            raise
        await _cancel(client, run_id)
        return await client.get(f"/api/runs/{run_id}"), True
    except asyncio.CancelledError:
        print_note("Interrupted; cancelling the run …")
        await _cancel(client, run_id)
        raise
    if run["status"] == "PAUSED":
        await _cancel(client, run_id)
    return run, False


async def _cancel(client: Client, run_id: str) -> None:
    """Cancel the run, if that is possible within a few seconds."""
    with suppress(CommandFailed, TimeoutError):
        async with asyncio.timeout(_CANCEL_S):
            await client.post(f"/api/runs/{run_id}/cancel")


def _verdict(job: Job, run: Json, late: bool, found: Json | None) -> tuple[int, list[str]]:
    """Return the exit code of the job, and the reasons if the code is not 0.

    `late` is true if the run was cancelled at its time limit; the job has then failed. `found` is the baseline, or
    None. A missed threshold has precedence over the gates. In a run with gates, failed items do not fail the job, since
    a gate does not pass if too many cases lack a score. The code is LOW_COVERAGE if there is a baseline, but the run
    was not compared with it.
    """
    if late:
        return ExitCode.FAILED, [f"the run was not over after {job.timeout_s} s, and was cancelled"]
    gated = bool(run.get("gates"))
    partial = {"allow_partial": True} if gated else {}
    code, reasons = verdict(run, job.thresholds.model_copy(update=partial))
    of_gates, against = baselines.exit_code(run.get("gate"))
    if found is not None and not gated and not code:
        return ExitCode.LOW_COVERAGE, ["the run was not compared with the baseline"]
    return code or of_gates, [*reasons, *against]


async def _compared_with(client: Client, run: Json) -> Json | None:
    """Return the baseline of the run's first gate; None if the run was not compared by gates."""
    gates = run.get("gates") or []
    return await client.get(f"{baselines.PATH}/{gates[0]['baseline_id']}") if gates else None


async def _changes(client: Client, baseline: Json | None, run: Json) -> Changes | None:
    if baseline is None or run["status"] != "FINISHED" or baseline["run"]["id"] == run["id"]:
        return None
    try:
        return await read_changes(client, baseline["run"]["id"], run["id"])
    except CommandFailed as failed:
        print_note(f"the changed cases cannot be shown: {failed}")
        return None


async def _saved(job: Job, at: Platform, subject: Subject, outcome: Outcome, found: Json | None, file: Path) -> Outcome:
    """Make the run the baseline in place of `found`, the present one, and write all baselines of the subject to `file`.
    Return the outcome with the file's name. If a gate would pass an unchanged model too rarely, this becomes a reason
    of the outcome."""
    assert at.database_url is not None  # the command refuses to save on another platform
    refused = await keep(at.client, job, subject, outcome.run, found)
    await write_file(at.client, at.database_url, file)
    if refused is not None:
        outcome = replace(outcome, code=ExitCode.REFUSED, reasons=[refused])
    return replace(outcome, saved=str(file))
