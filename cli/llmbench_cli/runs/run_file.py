"""Read the file of `llmbench run`, and locate its errors.

The fields are those of `POST /api/runs`, with names where the API has ids of providers, collections and the baseline
run. Further fields, such as `thresholds`, are for the command line. The platform checks the limits of values; its
errors are shown with the line of the file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from llmbench.contracts.chat import SamplingParams
from llmbench.faults import faults_of
from llmbench_cli.client import Json
from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs import yaml_lines

Place = yaml_lines.Path
MAX_BYTES = 1024 * 1024
Share = Annotated[float, Field(ge=0, le=1)]


class Entry(BaseModel):
    """Base class of the parts of a run file or CI file. Unknown fields are refused, and numbers and texts are not
    converted into each other."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Params(SamplingParams):
    """Sampling parameters. Unknown names are refused, so that a misspelt one is not ignored."""

    model_config = ConfigDict(extra="forbid")


class JudgeEntry(Entry):
    """A judge model. `provider` is the name or id of its provider."""

    provider: str
    model: str
    params: Params | None = None
    concurrency: int | None = None


class PanelEntry(Entry):
    """A panel of several judges, used instead of a single one. Its score is the median of their scores. `quorum` is how
    many of them must have scored, by default all."""

    judges: list[JudgeEntry]
    quorum: int | None = None


class EvaluatorEntry(Entry):
    """An evaluator. `only` and `unless` select the cases that it scores, by default all. The platform checks `kind` and
    `params`."""

    kind: str
    name: str | None = None
    params: dict[str, Any] | None = None
    weight: float | None = None
    required: bool | None = None
    pass_threshold: float | None = None
    only: dict[str, Any] | None = None
    unless: dict[str, Any] | None = None
    judge: JudgeEntry | None = None
    panel: PanelEntry | None = None


class TargetEntry(Entry):
    """A target of the run: a model that answers the cases. Settings that are missing here are those of the run.

    `prompt` names the prompt that makes the messages; `prompt_version` is by default the prompt's newest version.
    """

    provider: str
    model: str
    label: str | None = None
    params: Params | None = None
    epochs: int | None = None
    concurrency: int | None = None
    timeout_s: float | None = None
    max_attempts: int | None = None
    use_cache: bool | None = None
    prompt: str | None = None
    prompt_version: int | None = None


class Thresholds(Entry):
    """The thresholds that every target has to reach: a mean score and a pass rate, both from 0 to 1.

    With `allow_partial`, failed items are left out, and the run's other items decide.
    """

    min_score: Share | None = None
    min_pass_rate: Share | None = None
    allow_partial: bool = False


class GateEntry(Entry):
    """A gate: the candidate's metric must not be worse than the baseline's by `margin` or more.

    With `undecided: ok` an undecided gate passes, unless the candidate is certainly worse than the baseline (by less
    than the margin). With `force` a gate is used even if it is unreliable.
    """

    metric: str = "score"
    margin: float = Field(gt=0, le=10, allow_inf_nan=False)
    undecided: Literal["fail", "ok"] = "fail"
    force: bool = False


class SampleEntry(Entry):
    """A sample of the cases. Without a seed, the seed is derived from the run's name, so runs of the same name have the
    same sample."""

    size: int | None = None
    tags: list[str] | None = None
    strategy: Literal["random", "stratified"] | None = None
    seed: int | None = None


class RunFile(Entry):
    """The content of a run file.

    `collections` are names or ids; the list may be empty if there are dataset versions. `baseline` is the name or id of
    a run. `preset` names settings that apply where the file has none. The finished run is compared with the preset's
    baselines, or only with the one labelled `baseline_label`. `webhook_url` is called when the run is over. Without
    `evaluators`, a case with checks of its own is scored by them, and any other case by the rubric.
    """

    name: str | None = None
    description: str | None = None
    tags: list[str] | None = None
    baseline: str | None = None
    max_cost_usd: float | None = None
    cluster_by: str | None = None
    sample: SampleEntry | None = None
    queue: bool | None = None
    priority: int | None = None
    preset: str | None = None
    baseline_label: str | None = None
    webhook_url: str | None = None
    webhook_secret: str | None = None
    judge: JudgeEntry | None = None
    panel: PanelEntry | None = None
    evaluators: list[EvaluatorEntry] | None = None
    targets: list[TargetEntry]
    collections: list[str]
    dataset_version_ids: list[str] | None = None
    params: Params | None = None
    epochs: int | None = None
    concurrency: int | None = None
    parallel_groups: int | None = None
    timeout_s: float | None = None
    max_attempts: int | None = None
    use_cache: bool | None = None
    max_backoff_s: float | None = None
    max_conversation_history: int | None = None
    show_choices: bool | None = None
    check_providers: bool | None = None
    allow_self_judging: bool | None = None
    thresholds: Thresholds = Thresholds()
    gate: GateEntry | None = None


_API_NAMES = {
    "provider_id": "provider",
    "collection_ids": "collections",
    "baseline_run_id": "baseline",
    "prompt_version_id": "prompt",
}


@dataclass(frozen=True)
class Fault:
    """An error in a run file. `place` has the keys and list indexes that lead to it; an empty place means the entire
    file."""

    place: Place
    message: str


class BadRunFile(CommandFailed):
    """Raised for a file that cannot be read or has errors. Each error is a line of the message; if its place is known,
    the line begins with `file:line:`."""


@dataclass(frozen=True)
class Source:
    """The name of a run file, and the line of each entry in it."""

    name: str
    lines: dict[Place, int]

    def bad(self, faults: Iterable[Fault]) -> BadRunFile:
        """Return an error that lists the faults in the order of their lines."""
        shown = [(yaml_lines.line_of(fault.place, self.lines), fault) for fault in faults]
        return BadRunFile(
            "\n".join(
                f"{self.name}:{line}: {_dotted(fault.place)}{': ' if fault.place else ''}{fault.message}"
                for line, fault in sorted(shown, key=lambda entry: entry[0])
            )
        )

    def refused(self, errors: Sequence[tuple[str, str]]) -> BadRunFile | None:
        """Convert the API's errors about a request body, pairs of field and message, to errors about the file; `None`
        if there are none."""
        faults = [Fault(_place(field), message) for field, message in errors]
        return self.bad(faults) if faults else None


def read_run_file(path: Path) -> tuple[RunFile, Source]:
    """Read a run file. Raises `BadRunFile` if it cannot be read, is larger than 1 MiB, or has errors."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRunFile(f"{path} is larger than a run file can be")
        text = path.read_text("utf-8-sig")
    except OSError as failed:
        raise BadRunFile(f"{path} cannot be read: {failed.strerror}") from failed
    except UnicodeDecodeError as failed:
        raise BadRunFile(f"{path} is not UTF-8") from failed
    return parse_run_file(text, name=str(path))


def parse_run_file(text: str, *, name: str) -> tuple[RunFile, Source]:
    """Parse the text of the run file `name`. Raises `BadRunFile`, which lists the errors with their lines."""
    try:
        document, lines = yaml_lines.read_yaml(text)
    except yaml_lines.BadYaml as bad:
        raise BadRunFile(f"{name}:{bad.line}: {bad}") from None
    source = Source(name, lines)
    if not isinstance(document, dict):
        raise source.bad([Fault((), "a run file is a mapping: judge, targets, collections and options")])
    try:
        run = RunFile.model_validate(document)
    except ValidationError as wrong:
        raise source.bad(Fault(_steps(fault.field), fault.message) for fault in faults_of(wrong, RunFile)) from None
    if run.gate is not None and run.baseline is None:
        raise source.bad([Fault(("gate",), "a gate needs a baseline: name the run to compare with, as `baseline`")])
    return run, source


def judges(run: RunFile) -> dict[Place, JudgeEntry]:
    """Return all judges of the file, including members of panels, by their place in it, such as ("evaluators", 0,
    "judge")."""
    parts: list[tuple[Place, RunFile | EvaluatorEntry]] = [((), run)]
    parts += [(("evaluators", index), evaluator) for index, evaluator in enumerate(run.evaluators or [])]
    named: dict[Place, JudgeEntry] = {}
    for place, part in parts:
        if part.judge is not None:
            named[*place, "judge"] = part.judge
        if part.panel is not None:
            named |= {(*place, "panel", "judges", index): judge for index, judge in enumerate(part.panel.judges)}
    return named


def body(
    run: RunFile,
    *,
    providers: dict[str, str],
    collections: list[str],
    baseline: str | None,
    prompts: Mapping[int, str] = MappingProxyType({}),
) -> Json:
    """Return the body of `POST /api/runs`. `providers` maps the providers' names in the file to ids; `collections` and
    `baseline` are ids. `prompts` maps the index of a target to the id of its prompt's version."""
    made = run.model_dump(
        mode="json", exclude_unset=True, exclude={"thresholds", "gate", "collections", "baseline", "preset"}
    )
    made |= _judge_fields(made, providers)
    if run.sample is not None:
        made["sample"] = _without_nulls(made["sample"])
    if run.evaluators is not None:
        made["evaluators"] = [
            _without_nulls(evaluator | _judge_fields(evaluator, providers)) for evaluator in made["evaluators"]
        ]
    made["targets"] = [
        _part(target | {"prompt": None, "prompt_version": None, "prompt_version_id": prompts.get(index)}, providers)
        for index, target in enumerate(made["targets"])
    ]
    made |= {"collection_ids": collections, "baseline_run_id": baseline}
    return _without_nulls(made)


def _judge_fields(part: Json, providers: dict[str, str]) -> Json:
    """Return the fields `judge` and `panel` of the run or of an evaluator, with provider ids instead of names."""
    judge, panel = part.get("judge"), part.get("panel")
    judges = [_part(member, providers) for member in panel["judges"]] if panel else []
    return {
        "judge": _part(judge, providers) if judge else None,
        "panel": _without_nulls({**panel, "judges": judges}) if panel else None,
    }


def _part(part: Json, providers: dict[str, str]) -> Json:
    return _without_nulls({"provider_id": providers[part["provider"]], **part, "provider": None})


def _without_nulls(part: Json) -> Json:
    """Return the part without its null fields, which count as omitted.

    Nulls within `params` stay: they mean the provider's default.
    """
    return {name: value for name, value in part.items() if value is not None}


def _place(field: str) -> Place:
    """Return the place in the file for a dotted path of the API: `targets.0.provider_id` becomes
    `targets.0.provider`."""
    return tuple(_API_NAMES.get(str(step), step) for step in _steps(field))


def _steps(field: str) -> Place:
    return tuple(int(step) if step.isdecimal() else step for step in field.split(".")) if field else ()


def _dotted(place: Place) -> str:
    return ".".join(str(step) for step in place)
