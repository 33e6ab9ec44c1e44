"""Read and write the tables `prompt` and `prompt_version`: one function per query, in the caller's transaction."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, Text, cast, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.paging import After
from config_api.prompts.content import content_hash
from config_api.prompts.schemas import PromptChange, PromptOut, PromptVersionIn, PromptVersionOut
from llmbench.contracts.experiment_words import ExperimentStatus
from llmbench.contracts.prompt import PromptVariable
from llmbench.db.tables import experiment, prompt, prompt_version, variant
from llmbench.ids import new_id

UNIQUE_NAME = "prompt_org_id_name_key"


async def insert_prompt(connection: AsyncConnection, body: PromptChange) -> UUID:
    id_ = new_id()
    await connection.execute(insert(prompt).values(id=id_, name=body.name, description=body.description))
    return id_


async def insert_version(
    connection: AsyncConnection,
    prompt_id: UUID,
    number: int,
    body: PromptVersionIn,
    variables: Sequence[PromptVariable],
) -> PromptVersionOut:
    values = {
        "id": new_id(),
        "prompt_id": prompt_id,
        "number": number,
        "system_template": body.system_template,
        "user_template": body.user_template,
        "variables": [variable.model_dump(mode="json") for variable in variables],
        "content_hash": content_hash(body, variables),
        "notes": body.notes,
    }
    row = await connection.execute(insert(prompt_version).values(values).returning(*prompt_version.c))
    return _version(row.one())


async def lock_prompt(connection: AsyncConnection, id_: UUID) -> bool:
    """Lock the prompt, so that simultaneous requests cannot give two versions the same number. Return whether it
    exists."""
    found = select(prompt.c.id).where(prompt.c.id == id_).with_for_update()
    return (await connection.execute(found)).one_or_none() is not None


async def touch_prompt(connection: AsyncConnection, id_: UUID) -> None:
    changes = {"version": prompt.c.version + 1, "updated_at": func.now()}
    await connection.execute(update(prompt).where(prompt.c.id == id_).values(changes))


async def find_prompt(connection: AsyncConnection, id_: UUID) -> PromptOut | None:
    found = await _with_newest(connection, select(prompt).where(prompt.c.id == id_))
    return found[0] if found else None


async def update_prompt(connection: AsyncConnection, id_: UUID, body: PromptChange) -> None:
    changes = {**body.model_dump(mode="json"), "version": prompt.c.version + 1, "updated_at": func.now()}
    await connection.execute(update(prompt).where(prompt.c.id == id_).values(changes))


async def delete_prompt(connection: AsyncConnection, id_: UUID) -> None:
    """Delete the prompt with all its versions."""
    await connection.execute(delete(prompt).where(prompt.c.id == id_))


async def open_experiments(connection: AsyncConnection, id_: UUID) -> list[str]:
    """Return the names of at most 50 experiments that use a version of the prompt in a variant, and that may still
    start runs."""
    of_prompt = select(cast(prompt_version.c.id, Text)).where(prompt_version.c.prompt_id == id_)
    query = (
        select(experiment.c.name)
        .join(variant, variant.c.experiment_id == experiment.c.id)
        .where(experiment.c.status.in_([ExperimentStatus.RUNNING, ExperimentStatus.PAUSED]))
        .where(variant.c.config["prompt_version_id"].as_string().in_(of_prompt))
        .distinct()
        .order_by(experiment.c.name)
        .limit(50)
    )
    return list((await connection.execute(query)).scalars())


async def list_prompts(
    connection: AsyncConnection, *, q: str | None, name: str | None, after: After | None, limit: int
) -> list[PromptOut]:
    query = select(prompt)
    if q:
        query = query.where(prompt.c.name.icontains(q, autoescape=True))
    if name is not None:
        query = query.where(prompt.c.name == name)
    if after is not None:
        query = query.where(prompt.c.name > after.key)
    return await _with_newest(connection, query.order_by(prompt.c.name).limit(limit))


async def find_version(connection: AsyncConnection, prompt_id: UUID, number: int) -> PromptVersionOut | None:
    query = select(prompt_version).where(prompt_version.c.prompt_id == prompt_id, prompt_version.c.number == number)
    row = (await connection.execute(query)).one_or_none()
    return _version(row) if row else None


async def list_versions(
    connection: AsyncConnection, prompt_id: UUID, *, below: int | None, limit: int
) -> list[PromptVersionOut]:
    """Return the versions of the prompt, the newest first. With `below`, only versions with smaller numbers."""
    query = select(prompt_version).where(prompt_version.c.prompt_id == prompt_id)
    if below is not None:
        query = query.where(prompt_version.c.number < below)
    rows = await connection.execute(query.order_by(prompt_version.c.number.desc()).limit(limit))
    return [_version(row) for row in rows]


async def _with_newest(connection: AsyncConnection, query: Select[Any]) -> list[PromptOut]:
    rows = (await connection.execute(query)).mappings().all()
    newest = (
        select(prompt_version)
        .ext(distinct_on(prompt_version.c.prompt_id))
        .where(prompt_version.c.prompt_id.in_([row["id"] for row in rows]))
        .order_by(prompt_version.c.prompt_id, prompt_version.c.number.desc())
    )
    versions = {row.prompt_id: _version(row) for row in await connection.execute(newest)}
    return [PromptOut.model_validate(dict(row) | {"newest": versions[row["id"]]}) for row in rows]


def _version(row: Row[Any]) -> PromptVersionOut:
    return PromptVersionOut.model_validate(dict(row._mapping))
