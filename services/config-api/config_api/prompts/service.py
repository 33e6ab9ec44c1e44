"""Read, change and preview prompts.

A run copies the prompt version that it uses. So runs never prevent the deletion of a prompt, but started experiments
do.
"""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api import paging
from config_api.conflicts import unique
from config_api.prompts import store
from config_api.prompts.cases import first_of_collection, first_of_version
from config_api.prompts.content import checked_variables, content_hash
from config_api.prompts.schemas import (
    PreviewedCase,
    PreviewIn,
    PreviewOut,
    PromptChange,
    PromptIn,
    PromptOut,
    PromptPage,
    PromptVersionIn,
    PromptVersionOut,
    PromptVersionPage,
)
from config_api.versions import missing, require_match
from llmbench.contracts.case import Case
from llmbench.contracts.prompt import Prompt
from llmbench.errors import Problem
from llmbench.prompt_template import PromptError, render

WHAT = "prompt"


class PromptService:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def list(self, *, q: str | None, name: str | None, cursor: str | None, limit: int) -> PromptPage:
        after = paging.decode(cursor, order="name") if cursor else None
        async with self._engine.connect() as connection:
            # Read one row more than requested: it shows that there is a next page.
            rows = await store.list_prompts(connection, q=q, name=name, after=after, limit=limit + 1)
        last = paging.After("name", rows[limit - 1].name) if len(rows) > limit else None
        return PromptPage(items=rows[:limit], next_cursor=paging.encode(last) if last else None)

    async def create(self, body: PromptIn) -> PromptOut:
        variables = checked_variables(body)
        change = PromptChange(name=body.name, description=body.description)
        with unique(store.UNIQUE_NAME, what=WHAT, field="name", value=body.name):
            async with self._engine.begin() as connection:
                id_ = await store.insert_prompt(connection, change)
                await store.insert_version(connection, id_, 1, body, variables)
                return await _found(connection, id_)

    async def get(self, id_: UUID) -> PromptOut:
        async with self._engine.connect() as connection:
            return await _found(connection, id_)

    async def replace(self, id_: UUID, body: PromptChange, *, if_match: str | None) -> PromptOut:
        with unique(store.UNIQUE_NAME, what=WHAT, field="name", value=body.name):
            async with self._engine.begin() as connection:
                await _lock(connection, id_)
                require_match(if_match, (await _found(connection, id_)).version)
                await store.update_prompt(connection, id_, body)
                return await _found(connection, id_)

    async def delete(self, id_: UUID) -> None:
        """Delete the prompt with its versions. Runs have copies of them.

        Raises a 404 problem if the prompt does not exist. Raises a 409 problem if a started experiment uses a version,
        because the experiment's next runs need it.
        """
        async with self._engine.begin() as connection:
            await _lock(connection, id_)
            experiments = await store.open_experiments(connection, id_)
            if experiments:
                named = ", ".join(f"'{name}'" for name in experiments[:5])
                raise Problem(409, "In use", f"Open experiments use it: {named}. Conclude them first.")
            await store.delete_prompt(connection, id_)

    async def versions(self, id_: UUID, *, cursor: str | None, limit: int) -> PromptVersionPage:
        after = paging.decode(cursor, order="position") if cursor else None
        async with self._engine.connect() as connection:
            await _found(connection, id_)
            below = None if after is None else int(after.key)
            rows = await store.list_versions(connection, id_, below=below, limit=limit + 1)
        last = paging.After("position", rows[limit - 1].number) if len(rows) > limit else None
        return PromptVersionPage(items=rows[:limit], next_cursor=paging.encode(last) if last else None)

    async def version(self, id_: UUID, number: int) -> PromptVersionOut:
        async with self._engine.connect() as connection:
            found = await store.find_version(connection, id_, number)
            if found is None:
                newest = (await _found(connection, id_)).newest.number
                raise Problem(404, "Not found", f"The prompt has no version {number}: its newest is {newest}.")
        return found

    async def add_version(self, id_: UUID, body: PromptVersionIn) -> PromptVersionOut:
        variables = checked_variables(body)
        async with self._engine.begin() as connection:
            await _lock(connection, id_)
            newest = (await _found(connection, id_)).newest
            if newest.content_hash == content_hash(body, variables):
                raise Problem(409, "Nothing changed", f"Version {newest.number} already has this content.")
            await store.touch_prompt(connection, id_)
            return await store.insert_version(connection, id_, newest.number + 1, body, variables)

    async def preview(self, body: PreviewIn) -> PreviewOut:
        variables = checked_variables(body)
        async with self._engine.connect() as connection:
            cases = await _first_cases(connection, body)
        prompt = Prompt(
            prompt_id=UUID(int=0),
            version_id=UUID(int=0),
            name="preview",
            number=1,
            content_hash=content_hash(body, variables),
            system_template=body.system_template,
            user_template=body.user_template,
            variables=variables,
        )
        # Long templates take some milliseconds each.
        return PreviewOut(variables=list(variables), cases=await asyncio.to_thread(_rendered, prompt, cases))


async def _lock(connection: AsyncConnection, id_: UUID) -> None:
    if not await store.lock_prompt(connection, id_):
        raise missing(WHAT, id_)


async def _found(connection: AsyncConnection, id_: UUID) -> PromptOut:
    found = await store.find_prompt(connection, id_)
    if found is None:
        raise missing(WHAT, id_)
    return found


async def _first_cases(connection: AsyncConnection, body: PreviewIn) -> list[Case]:
    if body.collection_id is not None:
        return await first_of_collection(connection, body.collection_id, body.limit)
    if body.dataset_version_id is not None:
        return await first_of_version(connection, body.dataset_version_id, body.limit)
    return []


def _rendered(prompt: Prompt, cases: Sequence[Case]) -> list[PreviewedCase]:
    return [_previewed(prompt, case) for case in cases]


def _previewed(prompt: Prompt, case: Case) -> PreviewedCase:
    try:
        made = render(prompt, case)
    except PromptError as error:
        return PreviewedCase(task_id=case.task_id, system=None, user=None, error=str(error), variable=error.variable)
    return PreviewedCase(task_id=case.task_id, system=made.system, user=made.user, error=None, variable=None)
