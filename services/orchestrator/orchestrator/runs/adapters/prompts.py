"""Copy the prompts of a new run's targets, and check that each case can be rendered with them."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import TextClause, bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import Uuid

from llmbench.contracts.case import Case
from llmbench.contracts.prompt import Prompt
from llmbench.db import tables as t
from llmbench.errors import FieldError, Problem
from llmbench.prompt_template import PromptError, render
from orchestrator.kernel.domain.new_run import NewRun, NewTarget
from orchestrator.kernel.domain.prompts import with_choices
from orchestrator.runs.adapters.new_items import TASK_CASE, TEST_CASES

_CHUNK_CASES: Final = 500
_MOST_ERRORS: Final = 10
# All targets of a run have the same cases, so those of the first are enough.
_CASES: Final = text(
    """
    SELECT item."case" FROM item JOIN target ON target.id = item.target_id
    WHERE item.run_id = :run_id AND target.position = 0 AND item.epoch = 1
    ORDER BY item.position
    """
)


_CASES_OF_SOURCES: Final = text(
    f"""
    SELECT {TASK_CASE} AS "case" FROM task
    WHERE task.id IN (SELECT task_id FROM collection_task WHERE collection_id = ANY (:collection_ids))
    UNION ALL
    SELECT chosen."case" FROM ({TEST_CASES} WHERE test_case.version_id = ANY (:version_ids)) AS chosen
    """  # noqa: S608  # made of constants
).bindparams(*(bindparam(name, type_=ARRAY(Uuid)) for name in ("collection_ids", "version_ids")))


async def prompts_of(connection: AsyncConnection, new: NewRun) -> dict[UUID, Prompt]:
    """Return the prompts that the run's targets use. The keys are the ids of prompt versions. Raises a 422 `Problem` if
    a version does not exist."""
    wanted = {target.prompt_version_id for target in new.targets} - {None}
    if not wanted:
        return {}
    query = (
        select(t.prompt_version, t.prompt.c.name)
        .join(t.prompt, t.prompt.c.id == t.prompt_version.c.prompt_id)
        .where(t.prompt_version.c.id.in_(wanted))
    )
    found = {
        row["id"]: Prompt.model_validate(
            {name: row[name] for name in Prompt.model_fields if name != "version_id"} | {"version_id": row["id"]}
        )
        for row in (await connection.execute(query)).mappings()
    }
    errors = [
        FieldError(f"targets.{index}.prompt_version_id", f"there is no version {target.prompt_version_id} of a prompt")
        for index, target in enumerate(new.targets)
        if target.prompt_version_id is not None and target.prompt_version_id not in found
    ]
    if errors:
        raise Problem(422, "Unknown prompt", f"{errors[0].message}: it may have been deleted", errors=errors)
    return found


def stored_prompt(prompts: Mapping[UUID, Prompt], target: NewTarget) -> dict[str, Any] | None:
    """Return the copy of the target's prompt as the table stores it; `None` for a target without a prompt."""
    if target.prompt_version_id is None:
        return None
    return prompts[target.prompt_version_id].model_dump(mode="json")


async def require_rendering(
    connection: AsyncConnection, run_id: UUID, new: NewRun, prompts: Mapping[UUID, Prompt]
) -> None:
    """Render each case of the run with each prompt. Raise a 422 `Problem` that names the first cases and variables for
    which rendering fails. Does nothing for a run without prompts."""
    if not prompts:
        return
    await _require(connection, _CASES, {"run_id": run_id}, new, prompts)


async def require_rendering_of_sources(connection: AsyncConnection, new: NewRun) -> None:
    """Render all cases of the run's collections and dataset versions with each prompt, before the run is created.
    Raises a 422 `Problem` if rendering fails."""
    prompts = await prompts_of(connection, new)
    if prompts:
        ids = {"collection_ids": list(new.collection_ids), "version_ids": list(new.dataset_version_ids)}
        await _require(connection, _CASES_OF_SOURCES, ids, new, prompts)


async def _require(
    connection: AsyncConnection,
    cases: TextClause,
    given: Mapping[str, Any],
    new: NewRun,
    prompts: Mapping[UUID, Prompt],
) -> None:
    errors: list[FieldError] = []
    fields = {target.prompt_version_id: index for index, target in reversed(list(enumerate(new.targets)))}
    async with connection.stream(cases, given) as rows:
        async for chunk in rows.scalars().partitions(_CHUNK_CASES):
            # Rendering 10,000 cases takes about a second, which other requests must not wait for.
            found = await asyncio.to_thread(_errors, chunk, prompts, fields, show_choices=new.show_choices)
            errors += found[: _MOST_ERRORS - len(errors)]
            if len(errors) >= _MOST_ERRORS:
                break
    if errors:
        raise Problem(422, "Prompt cannot be rendered", errors[0].message, errors=errors)


def _errors(
    cases: Sequence[Any], prompts: Mapping[UUID, Prompt], fields: Mapping[UUID | None, int], *, show_choices: bool
) -> list[FieldError]:
    errors = []
    for stored in cases:
        case = Case.model_validate(stored)
        shown = with_choices(case) if show_choices else case
        for version_id, prompt in prompts.items():
            try:
                render(prompt, shown)
            except PromptError as error:
                message = f"prompt '{prompt.name}' v{prompt.number}, case '{case.task_id}': {error}"
                errors.append(FieldError(f"targets.{fields[version_id]}.prompt_version_id", message))
    return errors
