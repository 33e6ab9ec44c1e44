"""Query parameters that select runs and items. Lists and exports share them."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import Depends, Query
from pydantic import Field

from llmbench.contracts.outcome import AnswerKind
from llmbench.contracts.run_words import ItemStatus, RunPhase, RunStatus, RunType
from llmbench.errors import FieldError
from orchestrator.kernel.api.query import Moment, Text, Words, clean, clean_text
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.results.ports.queries import ItemFilter, ItemOrder, RunFilter, SortKey
from orchestrator.results.ports.run_lists import GroupedBy, Grouping, RunOrder, RunSortKey

RawScore = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]


def _run_filter(  # noqa: PLR0913  # one parameter per field of the query
    status: Annotated[list[RunStatus] | None, Query(max_length=100)] = None,
    created_from: Moment | None = None,
    created_before: Moment | None = None,
    tag: Words = None,
    type: Annotated[
        list[RunType] | None,
        Query(max_length=100, description="By default all except single evaluations, of which there may be many."),
    ] = None,
    q: Annotated[str | None, Query(max_length=500, description="Part of the name or the description.")] = None,
    provider_id: Annotated[
        list[UUID] | None,
        Query(max_length=100, description="Runs with a target or a judge of one of these providers."),
    ] = None,
    suite: Annotated[
        str | None, Query(max_length=255, description="Runs of the suite with this name, in any of its versions.")
    ] = None,
    has_tag: Annotated[bool | None, Query(description="True for runs with any tag, false for those without.")] = None,
    has_suite: Annotated[bool | None, Query(description="True for runs of any suite, false for the others.")] = None,
) -> RunFilter:
    return RunFilter(
        statuses=status or (),
        created_from=created_from,
        created_before=created_before,
        tags=clean(tag),
        types=type or (RunType.BENCHMARK, RunType.BATCH),
        text=clean_text(q),
        provider_ids=provider_id or (),
        suite=clean_text(suite),
        has_tag=has_tag,
        has_suite=has_suite,
    )


def _run_order(sort: RunSortKey = RunSortKey.CREATED_AT, order: Literal["asc", "desc"] = "desc") -> RunOrder:
    return RunOrder(key=sort, descending=order == "desc")


def _grouping(
    by: GroupedBy,
    time_zone: Annotated[
        str, Query(max_length=100, description="With `by=day`: the IANA name of the zone in which days begin.")
    ] = "UTC",
) -> Grouping:
    return Grouping(by=by, time_zone=time_zone.replace("\0", ""))


def _item_filter(  # noqa: PLR0913  # one parameter per field of the query
    status: Annotated[list[ItemStatus] | None, Query(max_length=100)] = None,
    target_id: Annotated[list[UUID] | None, Query(max_length=100)] = None,
    model: Words = None,
    category: Words = None,
    tag: Annotated[
        list[Annotated[str, Query(max_length=255)]] | None,
        Query(max_length=100, description="Items whose case has all of these tags, in `metadata.tags`."),
    ] = None,
    suite_task: Words = None,
    task_id: Text = None,
    conversation_id: Text = None,
    failure_kind: Words = None,
    failure_cause: Annotated[
        list[Annotated[str, Query(max_length=255)]] | None,
        Query(max_length=100, description="A cause of `GET …/failures`, or the kind of a failure without a cause."),
    ] = None,
    failure_phase: RunPhase | None = None,
    score_min: Annotated[RawScore | None, Query(description="Least raw score, on the evaluator's scale.")] = None,
    score_max: Annotated[RawScore | None, Query()] = None,
    overall_min: Annotated[
        RawScore | None, Query(description="Least overall score on 0…1 (inclusive), as the run's figures count it.")
    ] = None,
    overall_below: Annotated[RawScore | None, Query(description="Upper bound of that score (exclusive).")] = None,
    time_min: Annotated[RawScore | None, Query(description="Least time of the answer, in milliseconds.")] = None,
    time_below: Annotated[RawScore | None, Query(description="Upper bound of that time (exclusive).")] = None,
    passed: bool | None = None,
    evaluator: Annotated[
        str | None,
        Query(
            max_length=60, description="The evaluator that `score_min`, `score_max`, `passed` and `outcome` refer to."
        ),
    ] = None,
    outcome: Annotated[list[Literal["scored", "unparsed", "refused", "errored"]] | None, Query(max_length=100)] = None,
    cached: bool | None = None,
    cut: Annotated[bool | None, Query(description="True for answers that ended at their token limit.")] = None,
    finish_reason: Words = None,
    answer_kind: Annotated[
        list[AnswerKind] | None,
        Query(max_length=100, description="The kind of an answer: `tool_calls`, `reasoning` …"),
    ] = None,
    q: Annotated[
        str | None, Query(max_length=500, description="Searched in task id, question, answer and reason.")
    ] = None,
) -> ItemFilter:
    return ItemFilter(
        statuses=status or (),
        target_ids=target_id or (),
        models=clean(model),
        categories=clean(category),
        tags=clean(tag),
        suite_tasks=clean(suite_task),
        task_id=clean_text(task_id),
        conversation_id=clean_text(conversation_id),
        failure_kinds=clean(failure_kind),
        failure_causes=clean(failure_cause),
        failure_phase=failure_phase,
        score_min=score_min,
        score_max=score_max,
        overall_min=overall_min,
        overall_below=overall_below,
        time_min=time_min,
        time_below=time_below,
        passed=passed,
        evaluator=clean_text(evaluator),
        outcomes=outcome or (),
        cached=cached,
        cut=cut,
        finish_reasons=clean(finish_reason),
        answer_kinds=answer_kind or (),
        text=clean_text(q),
    )


def _item_order(
    sort: SortKey = SortKey.POSITION,
    order: Literal["asc", "desc"] = "asc",
    evaluator_revision_id: Annotated[
        UUID | None,
        Query(description="With `sort=evaluator_score`: the revision whose scores sort, one of the run's evaluators."),
    ] = None,
) -> ItemOrder:
    if (sort == SortKey.EVALUATOR_SCORE) != (evaluator_revision_id is not None):
        message = "needed with sort=evaluator_score, and only with it: a revision_id of the run's evaluators"
        raise invalid([FieldError("evaluator_revision_id", message)], "order")
    return ItemOrder(key=sort, descending=order == "desc", revision_id=evaluator_revision_id)


ChosenRuns = Annotated[RunFilter, Depends(_run_filter)]
ChosenItems = Annotated[ItemFilter, Depends(_item_filter)]
OrderOfRuns = Annotated[RunOrder, Depends(_run_order)]
GroupsOfRuns = Annotated[Grouping, Depends(_grouping)]
OrderOfItems = Annotated[ItemOrder, Depends(_item_order)]
