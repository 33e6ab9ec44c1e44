"""Create, change, publish and delete the versions of suites. A published version never changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api import paging
from config_api.bodies import now
from config_api.conflicts import unique, unused
from config_api.suites import store
from config_api.suites.checking import CheckedEvaluators, EvaluatorChecks
from config_api.suites.converting import definition_of
from config_api.suites.graph import gate_faults, order_faults
from config_api.suites.schemas import (
    Applied,
    ApplySuite,
    SuiteIn,
    SuiteOut,
    SuitePage,
)
from config_api.suites.sources import find_sources
from config_api.versions import missing, require_match
from llmbench.contracts.suite import Aggregation, SuiteStatus
from llmbench.errors import FieldError, Problem


class SuiteService:
    def __init__(self, engine: AsyncEngine, evaluators: EvaluatorChecks) -> None:
        self._engine = engine
        self._evaluators = evaluators

    async def list(self, *, q: str | None, status: SuiteStatus | None, cursor: str | None, limit: int) -> SuitePage:
        after = paging.decode(cursor, order="name") if cursor else None
        async with self._engine.connect() as connection:
            # Read one row more than requested: it shows that there is a next page.
            suites = await store.list_suites(connection, q=q, status=status, after=after, limit=limit + 1)
        page = suites[:limit]
        last = paging.After("name", page[-1].name) if len(suites) > limit else None
        return SuitePage(items=page, next_cursor=paging.encode(last) if last else None)

    async def versions(self, id_: UUID) -> SuitePage:
        async with self._engine.connect() as connection:
            suite = await _require(connection, id_)
            return SuitePage(items=await store.versions_of_name(connection, suite.name), next_cursor=None)

    async def get(self, id_: UUID) -> SuiteOut:
        async with self._engine.connect() as connection:
            return await _require(connection, id_)

    async def create(self, body: SuiteIn) -> SuiteOut:
        """Create the first version of a suite, as a draft. Raises a 409 problem if there is a suite of this name, and
        a 422 problem that names each fault."""
        checked = await self._evaluators.check(body.tasks)
        with _taken(body.name):
            async with self._engine.begin() as connection:
                if await store.newest_of_name(connection, body.name) is not None:
                    raise _name_taken(body.name)
                return await self._insert(connection, body, checked)

    async def replace(self, id_: UUID, body: SuiteIn, *, if_match: str | None) -> SuiteOut:
        """Replace a draft. Raises a 409 problem for a published version, and a 422 problem for an invalid request."""
        checked = await self._evaluators.check(body.tasks)
        with _taken(body.name):
            async with self._engine.begin() as connection:
                before = await _require(connection, id_, lock=True)
                require_match(if_match, before.version)
                if before.status == SuiteStatus.PUBLISHED:
                    raise Problem(
                        409,
                        "Published",
                        f"Version {before.version_number} of '{before.name}' is published and never changes. "
                        f"Make a new version: POST /api/suites/{id_}/versions.",
                    )
                if body.name != before.name and len(await store.versions_of_name(connection, before.name)) > 1:
                    message = f"the versions of a suite share its name, which is '{before.name}'"
                    raise _invalid([FieldError("name", message)])
                if body.name != before.name:
                    await store.rename_family(connection, before.family_id, body.name)
                await store.update_suite(connection, id_, await self._values(connection, body, checked))
                return await _require(connection, id_)

    async def delete(self, id_: UUID) -> None:
        """Delete a version of a suite. Its runs stay, because they have copies of its content.

        Raises a 409 problem for the last version of a suite that has a baseline.
        """
        remedy = "Delete its baselines before its last version: `llmbench baseline list` shows them."
        with unused(store.BASELINE_OF_FAMILY, what="suite", user="baseline", remedy=remedy):
            async with self._engine.begin() as connection:
                family_id = await store.delete_suite(connection, id_)
                if family_id is None:
                    raise missing("suite", id_)
                await store.delete_empty_family(connection, family_id)

    async def publish(self, id_: UUID) -> SuiteOut:
        """Publish a version of a suite, and return it. If it is published already, nothing changes. Raises a 422
        problem if a dataset or collection of its tasks was deleted or is no longer published."""
        async with self._engine.begin() as connection:
            return await _publish(connection, await _require(connection, id_, lock=True))

    async def new_version(self, id_: UUID) -> SuiteOut:
        """Create a draft with the content of this version. Raises a 409 problem if the suite has a draft already, and a
        422 problem if the content is no longer valid."""
        body = (await self.get(id_)).definition
        checked = await self._evaluators.check(body.tasks)
        with _one_draft(body.name):
            async with self._engine.begin() as connection:
                newest = await store.newest_of_name(connection, body.name)
                if newest is None:
                    raise missing("suite", id_)
                return await self._insert(connection, body, checked, before=newest)

    async def apply(self, wanted: ApplySuite) -> Applied:
        """Give the suite of this name the requested content: create the suite, change its draft, or create a version
        after the published one. A suite that already has this content stays unchanged."""
        body = wanted.suite
        checked = await self._evaluators.check(body.tasks)
        with _taken(body.name), _one_draft(body.name):
            async with self._engine.begin() as connection:
                before = await store.newest_of_name(connection, body.name)
                change, suite = await self._apply(connection, before, body, checked)
                return Applied(change=change, suite=await _publish(connection, suite) if wanted.publish else suite)

    async def _apply(
        self, connection: AsyncConnection, before: SuiteOut | None, body: SuiteIn, checked: CheckedEvaluators
    ) -> tuple[Literal["created", "updated", "unchanged", "new_version"], SuiteOut]:
        if before is None:
            return "created", await self._insert(connection, body, checked)
        values = await self._values(connection, body, checked)
        if await _is_same(connection, before, values):
            return "unchanged", before
        if before.status == SuiteStatus.PUBLISHED:
            return "new_version", await self._insert(connection, body, checked, before=before)
        await store.update_suite(connection, before.id, values)
        return "updated", await _require(connection, before.id)

    async def _insert(
        self,
        connection: AsyncConnection,
        body: SuiteIn,
        checked: CheckedEvaluators,
        *,
        before: SuiteOut | None = None,
    ) -> SuiteOut:
        """Insert the version that follows the version `before` or, with `None`, the first version of a new suite."""
        values = await self._values(connection, body, checked)
        number = 1 if before is None else before.version_number + 1
        family_id = await store.insert_family(connection, body.name) if before is None else before.family_id
        id_ = await store.insert_suite(connection, values | {"version_number": number, "family_id": family_id})
        return await _require(connection, id_)

    async def _values(self, connection: AsyncConnection, body: SuiteIn, checked: CheckedEvaluators) -> dict[str, Any]:
        """Return the values for the row of the suite's version. Raises a 422 problem that lists all errors in the
        tasks."""
        faults = order_faults([(task.name, task.after, [gate.task for gate in task.gate]) for task in body.tasks])
        faults += gate_faults(body.tasks, checked.of_tasks)
        sources = await find_sources(connection, [task.source for task in body.tasks])
        faults += [*sources.faults, *checked.faults]
        if body.aggregation == Aggregation.WEIGHTED and not any(task.weight for task in body.tasks):
            faults.append(FieldError("tasks", "with the aggregation 'weighted', one task needs a weight above 0"))
        if faults:
            raise _invalid(faults)
        definition = definition_of(body, [each for each in sources.found if each is not None], checked.of_tasks)
        return {
            "name": body.name,
            "description": body.description,
            "definition": definition,
            "dataset_version_ids": [
                source.id for source in sources.found if source is not None and source.version is not None
            ],
        }


async def _publish(connection: AsyncConnection, suite: SuiteOut) -> SuiteOut:
    if suite.status == SuiteStatus.PUBLISHED:
        return suite
    sources = await find_sources(connection, [task.source for task in suite.definition.tasks], hold=True)
    if sources.faults:
        raise _invalid(sources.faults)
    await store.update_suite(connection, suite.id, {"status": SuiteStatus.PUBLISHED, "published_at": now()})
    return await _require(connection, suite.id)


async def _is_same(connection: AsyncConnection, suite: SuiteOut, values: dict[str, Any]) -> bool:
    stored = await store.stored_values(connection, suite.id)
    return all(stored[name] == values[name] for name in ("description", "definition"))


async def _require(connection: AsyncConnection, id_: UUID, *, lock: bool = False) -> SuiteOut:
    suite = await store.find_suite(connection, id_, lock=lock)
    if suite is None:
        raise missing("suite", id_)
    return suite


def _invalid(faults: list[FieldError]) -> Problem:
    return Problem(422, "Invalid suite", f"{faults[0].field}: {faults[0].message}", errors=faults)


def _name_taken(name: str) -> Problem:
    message = f"There is already a suite with the name {name!r}. Change its draft, or make a new version of it."
    return Problem(409, "Already exists", message, errors=[FieldError("name", "is taken")])


@contextmanager
def _taken(name: str) -> Iterator[None]:
    with (
        unique(store.UNIQUE_VERSION, what="suite", field="name", value=name),
        unique(store.UNIQUE_FAMILY, what="suite", field="name", value=name),
    ):
        yield


@contextmanager
def _one_draft(name: str) -> Iterator[None]:
    with unique(store.ONE_DRAFT, what="draft of the suite", field="name", value=name):
        yield
