"""Find the baseline of a job, and save a good run as the next baseline.

A platform that was started for the job has no data of earlier jobs. Its baselines come from a file, and the job's gates
replace the gates in that file. On any other platform, people have saved baselines and gates; the job does not change
the gates.
"""

from collections.abc import Sequence
from pathlib import Path

from llmbench_cli.ci.ci_file import GateEntry
from llmbench_cli.ci.providers import forget_keys
from llmbench_cli.ci.wanted import MAIN, Job
from llmbench_cli.client import Client, Json
from llmbench_cli.embedded import dump
from llmbench_cli.errors import CommandFailed, Refused
from llmbench_cli.runs.baselines import PATH, is_on
from llmbench_cli.runs.gates import WeakGate

Subject = Json
_NONE_SAVED = "the baseline {label!r} of the suite has no gate: {advice}"


async def baseline_of(client: Client, job: Job, subject: Subject, *, own: bool, saving: bool) -> Json | None:
    """Return the baseline with which the job compares its run: the one with the job's label, by default "main".

    On a platform that was started for the job (`own`), the baseline first gets the job's gates. A job that names a gate
    or a label needs a baseline, unless it saves its run as the baseline (`saving`). Any other job may go without; the
    result is then `None`.

    On any other platform, the result is `None` for a job without a label, because the platform itself compares the run
    with all baselines of the suite.

    Raises `CommandFailed` if a needed baseline is missing or has no gate, or if a job on another platform names gates.
    Raises `WeakGate` if a gate would pass an unchanged model too rarely.
    """
    label = job.label or MAIN
    if not own:
        return await _saved_there(client, job, subject, label)
    found = await _find(client, subject, label)
    if found is None:
        if (job.gates or job.label) and not saving:
            raise CommandFailed(
                f"there is no baseline {label!r} to compare with: name its file with --baseline-file. A run with "
                "--save-baseline makes that file"
            )
        return None
    if job.gates:
        await _have_gates(client, found, job.gates)
        found = await client.get(f"{PATH}/{found['id']}")
    if not found["gates"]:
        raise CommandFailed(_NONE_SAVED.format(label=label, advice="name one with --gate, as in --gate score=0.05"))
    return found


async def _saved_there(client: Client, job: Job, subject: Subject, label: str) -> Json | None:
    if job.gates:
        raise CommandFailed(
            "the gates of a platform that stays are saved there, for all runs of the suite: use `llmbench gate add`, "
            "and leave the gates of this job out. A job with --ephemeral has gates of its own"
        )
    if job.label is None:
        return None
    found = await _find(client, subject, label)
    suite = subject["name"]
    if found is None:
        raise CommandFailed(
            f"the suite {suite!r} has no baseline {label!r}: "
            f"`llmbench baseline promote RUN --suite '{suite}' --label '{label}'` makes one"
        )
    if not found["gates"]:
        advice = f"`llmbench gate add score --margin 0.05 --suite '{suite}' --label '{label}'` saves one"
        raise CommandFailed(_NONE_SAVED.format(label=label, advice=advice))
    return found


async def keep(client: Client, job: Job, subject: Subject, run: Json, found: Json | None) -> str | None:
    """Make the run the baseline under the job's label, in place of `found`, the present one.

    If `found` is None, the run also becomes the anchor, and the new baseline gets the gates of the job. If one of them
    would pass an unchanged model too rarely, return this as a message, else None. The baseline is saved all the same,
    so that no call is paid for again after the gate is corrected.
    """
    chosen = {kind: subject[kind] for kind in ("kind", "id")}
    body: Json = {"run_id": run["id"], "note": "llmbench ci"}
    if found is not None:
        await client.post(f"{PATH}/{found['id']}/promote", body | {"role": "baseline"})
        return None
    made = await client.post(PATH, body | {"subject": chosen, "label": job.label or MAIN})
    try:
        await _have_gates(client, made, job.gates)
    except WeakGate as weak:
        return f"{weak} The baseline is saved without this gate: correct it, and run the job again."
    return None


async def write_file(client: Client, database_url: str, file: Path) -> None:
    """Write the baselines of the job's own platform to `file`, in the form of a backup of its database.

    Before that, delete everything else from the platform for good: the providers' keys, and all runs that are neither a
    baseline nor an anchor. Raises `StartError` if the file cannot be written.
    """
    await forget_keys(client)
    kept = {entry[role]["id"] async for entry in client.every(PATH) for role in ("run", "anchor")}
    others = [run["id"] async for run in client.every("/api/runs") if run["id"] not in kept]
    for run_id in others:
        await client.delete(f"/api/runs/{run_id}")
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f".{file.name}.new")
    new.unlink(missing_ok=True)
    try:
        await dump.write(database_url, new, files=None)
        new.replace(file)
    finally:
        new.unlink(missing_ok=True)


async def _find(client: Client, subject: Subject, label: str) -> Json | None:
    query = {"subject_kind": subject["kind"], "subject_id": subject["id"], "label": label}
    found = (await client.get(PATH, **query))["items"]
    return dict(found[0]) if found else None


async def _have_gates(client: Client, baseline: Json, gates: Sequence[GateEntry]) -> None:
    """Add, change and delete gates of the baseline, so that it has exactly the gates of the job."""
    left = list(baseline["gates"])
    for wanted in gates:
        saved = next((gate for gate in left if same_gate(gate, wanted)), None)
        body = wanted.model_dump(mode="json")
        try:
            if saved is None:
                await client.post(f"{PATH}/{baseline['id']}/gates", _given(body))
            else:
                left.remove(saved)
                changed = {name: body[name] for name in ("margin", "undecided", "cluster_by")}
                if any(saved[name] != value for name, value in changed.items()):
                    await client.patch(f"/api/gates/{saved['id']}", changed)
        except Refused as refused:
            if refused.status == 422:
                raise WeakGate(f"the gate on {wanted.metric} is refused: {refused}") from refused
            raise
    for saved in left:
        await client.delete(f"/api/gates/{saved['id']}")


def same_gate(saved: Json, wanted: GateEntry) -> bool:
    """Return whether the platform's gate `saved` is on the metric and the task that the job's gate `wanted` names."""
    return is_on(saved, wanted.metric, wanted.task)


def _given(body: Json) -> Json:
    return {name: value for name, value in body.items() if value is not None}
