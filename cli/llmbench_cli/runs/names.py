"""Resolve what users write (a name, an id, part of an id, `last`) to what the API accepts."""

from collections.abc import Sequence
from uuid import UUID

from llmbench.faults import meant
from llmbench_cli.client import Client, Json
from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs.run_file import Fault, Place, RunFile, Source, body, judges

LAST = "last"
_LEAST_PART = 4


class Named:
    """All entries of one kind, such as providers, by name and id. `what` is the noun for messages."""

    def __init__(self, what: str, found: list[Json]) -> None:
        self._what = what
        self._ids = {str(entry["id"]) for entry in found}
        self._by_name = {str(entry["name"]): str(entry["id"]) for entry in found}

    @classmethod
    async def read(cls, client: Client, path: str, what: str) -> "Named":
        """Read all entries from the API's list at `path`."""
        return cls(what, [entry async for entry in client.every(path)])

    def id(self, wanted: str) -> str | None:
        """Return the id for a name or an id, or `None` if it is unknown. Upper and lower case matter only if two names
        differ in nothing else."""
        if wanted in self._by_name:
            return self._by_name[wanted]
        if wanted.lower() in self._ids:
            return wanted.lower()
        alike = [id_ for name, id_ in self._by_name.items() if name.casefold() == wanted.casefold()]
        return alike[0] if len(alike) == 1 else None

    def lacking(self, wanted: str) -> str:
        """Return the error message for an unknown name, with a hint at existing names."""
        return f"there is no {self._what} '{wanted}'; {meant(wanted, list(self._by_name))}"


async def provider_ids(client: Client, wanted: Sequence[str]) -> list[str]:
    """Return the ids of these providers, given by name or id. Raises `CommandFailed` for an unknown one."""
    providers = await Named.read(client, "/api/providers", "provider")
    ids = []
    for name in wanted:
        id_ = providers.id(name)
        if id_ is None:
            raise CommandFailed(providers.lacking(name))
        ids.append(id_)
    return ids


async def run_body(client: Client, run: RunFile, source: Source, *, preset_name: str | None = None) -> Json:
    """Return the body of `POST /api/runs`, with names resolved to ids.

    A preset supplies what the file omits; `preset_name` has precedence over the file's own preset. Raises `BadRunFile`,
    which lists all unknown names in the file, and `CommandFailed` if no preset has the name `preset_name`.
    """
    providers = await Named.read(client, "/api/providers", "provider")
    collections = await Named.read(client, "/api/collections", "collection")
    provider_names: dict[Place, str] = {(*place, "provider"): judge.provider for place, judge in judges(run).items()}
    provider_names |= {("targets", index, "provider"): target.provider for index, target in enumerate(run.targets)}
    faults = [
        Fault(place, providers.lacking(name)) for place, name in provider_names.items() if providers.id(name) is None
    ]
    faults += [
        Fault(("collections", index), collections.lacking(wanted))
        for index, wanted in enumerate(run.collections)
        if collections.id(wanted) is None
    ]
    prompts: dict[int, str] = {}
    for index, target in enumerate(run.targets):
        if target.prompt is not None:
            try:
                prompts[index] = (await prompt_version(client, target.prompt, target.prompt_version))["id"]
            except CommandFailed as failed:
                faults.append(Fault(("targets", index, "prompt"), str(failed)))
    baseline = None
    if run.baseline is not None:
        try:
            baseline = await run_id(client, run.baseline)
        except CommandFailed as failed:
            faults.append(Fault(("baseline",), str(failed)))
    given: Json = {}
    if preset_name is not None:
        given = _settings(await preset(client, preset_name))
    elif run.preset is not None:
        try:
            given = _settings(await preset(client, run.preset))
        except CommandFailed as failed:
            faults.append(Fault(("preset",), str(failed)))
    if faults:
        raise source.bad(faults)
    return given | body(
        run,
        providers={name: id_ for name in provider_names.values() if (id_ := providers.id(name))},
        collections=[id_ for name in run.collections if (id_ := collections.id(name))],
        baseline=baseline,
        prompts=prompts,
    )


def _settings(preset: Json) -> Json:
    """Return the fields that a preset adds to the body of a run: its settings, and the preset as the run's subject. The
    subject makes the platform compare the run with the preset's baselines."""
    return {**preset["run"], "subject": {"kind": "preset", "id": preset["id"]}}


async def preset(client: Client, name: str) -> Json:
    """Return the evaluation preset of that name. Raises `CommandFailed` if there is none."""
    found = (await client.get("/api/evaluation-presets", name=name))["items"]
    if not found:
        known = [str(entry["name"]) async for entry in client.every("/api/evaluation-presets")]
        raise CommandFailed(f"there is no preset '{name}'; {meant(name, known)}")
    return dict(found[0])


async def prompt(client: Client, name: str) -> Json:
    """Return the prompt of that name, with its newest version. Raises `CommandFailed` if there is none."""
    found = (await client.get("/api/prompts", name=name))["items"]
    if not found:
        known = [str(entry["name"]) async for entry in client.every("/api/prompts")]
        raise CommandFailed(f"there is no prompt '{name}'; {meant(name, known)}")
    return dict(found[0])


async def prompt_version(client: Client, name: str, number: int | None) -> Json:
    """Return a version of the prompt, by default the newest. Raises `CommandFailed` if there is none."""
    found = await prompt(client, name)
    newest: Json = found["newest"]
    if number is None or number == newest["number"]:
        return newest
    if not 0 < number < newest["number"]:
        raise CommandFailed(f"the prompt '{name}' has no version {number}; its newest is {newest['number']}")
    return await client.get(f"/api/prompts/{found['id']}/versions/{number}")


async def run_id(client: Client, wanted: str) -> str:
    """Return the id of a run. `wanted` is its name, its id, at least 4 of the id's first or last characters, or `last`
    for the newest run.

    Raises `CommandFailed` unless exactly one run matches. A complete id is not checked.
    """
    if wanted == LAST:
        newest = (await client.get("/api/runs", limit=1))["items"]
        if not newest:
            raise CommandFailed("there are no runs yet")
        return str(newest[0]["id"])
    return await id_of(client, "/api/runs", wanted, what="run", listed_by="llmbench list")


async def id_of(client: Client, path: str, wanted: str, *, what: str, listed_by: str) -> str:
    """Return the id of a resource of the API's list at `path`. The user's text `wanted` is an id, at least 4 characters
    of its beginning or end, or a name. `what` (the kind of resource) and `listed_by` (a command) appear in errors.

    Raises `CommandFailed` unless exactly one resource matches. A complete id is not checked.
    """
    try:
        return str(UUID(wanted))
    except ValueError:
        pass
    part = wanted.lower()
    found = [
        each
        async for each in client.every(path)
        if each["name"] == wanted
        or (len(part) >= _LEAST_PART and (each["id"].startswith(part) or each["id"].endswith(part)))
    ]
    if not found:
        raise CommandFailed(f"there is no {what} '{wanted}'; `{listed_by}` shows the {what}s")
    if len(found) > 1:
        some = ", ".join(f"{each['id']} ({each['name']})" for each in found[:5])
        more = " …" if len(found) > 5 else ""
        raise CommandFailed(f"'{wanted}' is {len(found)} {what}s; name one by its id: {some}{more}")
    return str(found[0]["id"])


def revision_of(run: Json, wanted: str, *, evaluator: str | None = None) -> Json:
    """Return the run's evaluator revision with this judge model or revision id. Members of panels are not searched.

    `evaluator` limits the search to the evaluator of that name. Raises `CommandFailed`, which lists the existing
    revisions, unless exactly one fits.

    >>> revision = {"name": "rubric", "revision_id": "r1", "judge_model": "judge-b", "member": False}
    >>> revision_of({"evaluators": [revision]}, "judge-b") is revision
    True
    """
    counted: list[Json] = [
        revision for revision in run["evaluators"] if not revision["member"] and evaluator in (None, revision["name"])
    ]
    matching = [revision for revision in counted if wanted in (revision["judge_model"], revision["revision_id"])]
    if len(matching) == 1:
        return matching[0]
    there = ", ".join(
        f"{revision['judge_model'] or revision['revision_id']} ({revision['name']})" for revision in matching or counted
    )
    if matching:
        raise CommandFailed(f"'{wanted}' scores for several evaluators: {there}; name one with --evaluator, or its id")
    raise CommandFailed(f"no evaluator of this run is scored by '{wanted}'; there are: {there or 'none'}")


def judge_revision(run: Json, wanted: str | None, *, evaluator: str | None = None) -> Json:
    """Return the evaluator revision whose scores people may overrule: that of the judge `wanted`. If `wanted` is
    `None`, return the primary revision of the only judge or panel.

    `evaluator` limits the search to the evaluator of that name. Raises `CommandFailed`, which lists the existing
    revisions, unless exactly one fits.

    >>> revision = {"name": "rubric", "revision_id": "r1", "judge_model": "j", "member": False, "primary": True}
    >>> judge_revision({"evaluators": [revision | {"panel": None, "corrects": None}]}, None)["revision_id"]
    'r1'
    """
    judges: list[Json] = [
        one for one in run["evaluators"] if one["corrects"] is None and (one["judge_model"] or one["panel"])
    ]
    if wanted is not None:
        return revision_of({"evaluators": judges}, wanted, evaluator=evaluator)
    # A judge whose scores people corrected counts through the corrected revision, if that is the primary one.
    primary = {one["corrects"] or one["revision_id"] for one in run["evaluators"] if one["primary"]}
    fitting = [one for one in judges if one["revision_id"] in primary and evaluator in (None, one["name"])]
    if len(fitting) == 1:
        return fitting[0]
    there = ", ".join(one["name"] for one in fitting or judges)
    if fitting:
        raise CommandFailed(f"judges score for several evaluators: {there}; name one with --evaluator")
    raise CommandFailed(f"no judge scores {evaluator or 'this run'}; there are: {there or 'none'}")


async def judge_choice(client: Client, wanted: str, *, what: str = "judge") -> Json:
    """Return the model for `provider:model` as an object with `provider_id` and `model`. The model's name may contain
    colons.

    `what` names the option in errors. Raises `CommandFailed` for another form of text, or if there is no such provider.
    """
    provider, colon, model = wanted.partition(":")
    if not colon or not provider.strip() or not model.strip():
        raise CommandFailed(f"'{wanted}' is not a {what}: write PROVIDER:MODEL, such as 'OpenAI:gpt-4o-mini'")
    providers = await Named.read(client, "/api/providers", "provider")
    id_ = providers.id(provider.strip())
    if id_ is None:
        raise CommandFailed(providers.lacking(provider.strip()))
    return {"provider_id": id_, "model": model.strip()}
