"""Define the bodies and responses of `/api/suites`. A suite's YAML file has the fields of `SuiteIn`."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, model_validator

from config_api.bodies import Input, Name, OptionalText, Resource, Text
from llmbench.contracts.base import UtcTime
from llmbench.contracts.chat import ResponseSchema
from llmbench.contracts.suite import Aggregation, SuiteStatus, TaskGate
from llmbench.http.created_by import CreatedBy

MOST_TASKS = 100
MOST_EVALUATORS = 10
MOST_GATES = 10
_MOST_CHARACTERS = 100_000


def _without_slash(name: str) -> str:
    if "/" in name:
        raise ValueError("must not contain a slash, which separates it from the names of cases")
    return name


TaskName = Annotated[Name, Field(max_length=30), AfterValidator(_without_slash)]


def _few(tasks: list["SuiteTaskIn"]) -> list["SuiteTaskIn"]:
    if len(tasks) > MOST_TASKS:
        raise ValueError(
            f"{len(tasks):,} tasks are more than {MOST_TASKS}: each task brings its own evaluators, which are matched "
            "with every case of the run. Divide them into several suites"
        )
    return tasks


class SourceIn(Input):
    """The source of a task's cases: a version of a dataset, or a collection. Either is given by name or by id."""

    dataset: Name | None = Field(default=None, description="The name of a dataset.")
    version: int | None = Field(
        default=None, ge=1, description="The number of its version; by default the newest published one."
    )
    collection: Name | None = Field(default=None, description="The name of a collection.")
    dataset_version_id: UUID | None = None
    collection_id: UUID | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        named = [self.dataset, self.collection, self.dataset_version_id, self.collection_id]
        if sum(each is not None for each in named) != 1:
            raise ValueError("name one of dataset, collection, dataset_version_id and collection_id")
        if self.version is not None and self.dataset is None:
            raise ValueError("a version needs the name of its dataset")
        return self


class TaskSampleIn(Input):
    """A sample of the task's cases. Cases of one document or one conversation are never split, so a sample may have a
    few more."""

    size: int = Field(ge=1, le=1_000_000, description="How many cases.")
    strategy: Literal["random", "stratified"] = Field(
        default="random", description="`stratified` takes the same share of each category of the cases."
    )
    seed: int | None = Field(
        default=None, ge=0, le=2**31 - 1, description="By default derived from the names of the suite and the task."
    )


class TaskEvaluatorIn(Input):
    """An evaluator of a task. It names no judge model: the run names one judge for all evaluators that need a judge."""

    kind: str = Field(min_length=1, max_length=60)
    name: Annotated[Name, Field(max_length=29)] | None = Field(
        default=None, description="Its name within the task; by default its kind."
    )
    params: dict[str, Any] = Field(default_factory=dict)
    weight: float = Field(
        default=1,
        ge=0,
        le=1_000_000,
        allow_inf_nan=False,
        description="Its weight in an answer's overall score, a weighted mean; 0 excludes it.",
    )
    required: bool = Field(
        default=True, description="Whether an answer without its score is FAILED instead of COMPLETED."
    )
    pass_threshold: float | None = Field(
        default=None,
        allow_inf_nan=False,
        description="The score, on the evaluator's own scale, from which an answer passes. By default the evaluator "
        "decides.",
    )


class TaskParamsIn(Input):
    """The sampling parameters of a task. A target of the run may have parameters of its own, which override these."""

    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    max_tokens: int | None = Field(default=None, ge=1, le=1_000_000)
    seed: int | None = Field(default=None, ge=0, le=2**31 - 1)
    stop: list[str] | None = Field(default=None, max_length=16)
    system_prompt: Annotated[Text, Field(max_length=_MOST_CHARACTERS)] | None = None
    response_schema: ResponseSchema | None = Field(
        default=None, description="Answers are asked for as JSON by this schema, in the provider's own way."
    )


class GateIn(Input):
    """A condition for a task: a target is asked its cases only if it scored at least `min_score` in another task.

    `task` is that other task. Only programs, and no judge model, may compute its score.
    """

    task: TaskName = Field(description="The task whose score decides. Its evaluators ask no model.")
    min_score: float = Field(ge=0, le=1, allow_inf_nan=False, description="The lowest score that passes.")


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, Mapping | GateIn) else value


class SuiteTaskIn(Input):
    """A task of a suite: the source of its cases, and how they are asked and scored."""

    name: TaskName
    category: Annotated[Name, Field(max_length=60)] = "general"
    source: SourceIn
    sample: TaskSampleIn | None = Field(default=None, description="By default the task has every case.")
    evaluators: list[TaskEvaluatorIn] = Field(
        default_factory=list,
        max_length=MOST_EVALUATORS,
        description="By default `case_checks` for cases with checks, and the rubric for the others.",
    )
    params: TaskParamsIn = Field(default_factory=TaskParamsIn)
    epochs: int = Field(default=1, ge=1, le=100, description="How often each case is asked.")
    weight: float = Field(
        default=1, ge=0, le=1_000_000, allow_inf_nan=False, description="Used by the aggregation `weighted`."
    )
    after: list[TaskName] = Field(
        default_factory=list, max_length=MOST_TASKS, description="The tasks whose cases are asked before."
    )
    gate: Annotated[list[GateIn], BeforeValidator(_listed)] = Field(
        default_factory=list,
        max_length=MOST_GATES,
        description="The task is asked only if each of these scores is high enough. Otherwise this task, and every "
        "task that waits for it, is skipped for that target. One gate may stand without a list.",
    )
    estimated_seconds: float | None = Field(
        default=None,
        gt=0,
        le=31_536_000,
        allow_inf_nan=False,
        description="The time for one target, until earlier runs of its model show it.",
    )


class SuiteIn(Input):
    """A suite of tasks, whose scores are aggregated to one score. A suite's YAML file has the same fields."""

    name: Name
    description: OptionalText = None
    aggregation: Aggregation = Field(
        default=Aggregation.MEAN,
        description="`mean`: each task counts the same. `weighted`: by the tasks' weights. `macro`: each category "
        "counts the same.",
    )
    tasks: Annotated[list[SuiteTaskIn], AfterValidator(_few)] = Field(
        min_length=1, json_schema_extra={"maxItems": MOST_TASKS}
    )


class TaskFacts(BaseModel):
    """Facts about a task of a suite that the suite's definition does not contain.

    `cases` is the number of cases that one run asks; `items` is that number times the epochs. `cases` and `items` are
    null if the source was deleted. A sample may take a few more cases, because documents and conversations are not
    split. `level` is the length of the longest chain of tasks before it. `gate` has the conditions without which the
    task is skipped.
    """

    name: str
    category: str
    level: int
    dataset_version_id: UUID | None
    collection_id: UUID | None
    source_name: str
    source_version: int | None
    cases: int | None
    items: int | None
    needs_judge: bool
    gate: list[TaskGate] = []


class SuiteOut(Resource):
    """A version of a suite. `definition` is valid as a request body. `tasks` has further facts about each task, such as
    the number of its cases."""

    family_id: UUID = Field(description="The same for all versions of the suite. Its baselines and gates belong to it.")
    name: str
    version_number: int
    status: SuiteStatus
    description: str | None
    aggregation: Aggregation
    task_count: int
    total_items: int
    categories: list[str]
    needs_judge: bool
    published_at: UtcTime | None
    created_by: CreatedBy = None
    definition: SuiteIn
    tasks: list[TaskFacts]


class SuitePage(BaseModel):
    items: list[SuiteOut]
    next_cursor: str | None


class ApplySuite(Input):
    """The request to create or change the suite with the name in `suite`, so that its content equals `suite`."""

    suite: SuiteIn
    publish: bool = Field(default=False, description="Publish the result, so that it can run.")


class Applied(BaseModel):
    """The suite, and what the request changed: `unchanged` for nothing, `updated` if its draft was changed, `created`
    for a new suite, `new_version` for a new version."""

    change: Literal["created", "updated", "unchanged", "new_version"]
    suite: SuiteOut


def schema() -> Mapping[str, Any]:
    """Return the JSON Schema of a suite's YAML file."""
    parts = SuiteIn.model_json_schema()
    fields = parts["$defs"]["SuiteTaskIn"]["properties"]
    about = {name: part for name, part in fields["gate"].items() if name in ("description", "title")}
    gates = {name: part for name, part in fields["gate"].items() if name not in about}
    # A YAML file may give a single gate without a list.
    fields["gate"] = {**about, "anyOf": [gates["items"], gates]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "llmbench suite",
        **{name: part for name, part in parts.items() if name != "title"},
    }
