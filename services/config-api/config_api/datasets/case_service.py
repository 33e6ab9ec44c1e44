"""Change and delete the cases of a DRAFT version, before it is published."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api.checks import CheckService
from config_api.conflicts import unique
from config_api.datasets import case_store, store, version_store
from config_api.datasets.change_event import publish_change
from config_api.datasets.checking import kind_of
from config_api.datasets.schemas import DeletedCases, TestCaseOut, TestCasePatch, VersionOut
from config_api.datasets.version_service import fields_of, locked_version
from config_api.versions import missing
from llmbench.contracts.dataset_words import ValidationStatus, VersionStatus
from llmbench.errors import FieldError, Problem
from llmbench.files.cases import BadCase, Case, case_of, written_checks

_INPUT = ("prompt", "context", "system_prompt", "conversation")


class CaseService:
    def __init__(self, engine: AsyncEngine, checks: CheckService) -> None:
        self._engine = engine
        self._checks = checks

    async def change(self, dataset_id: UUID, number: int, case_id: UUID, patch: TestCasePatch) -> TestCaseOut:
        """Change a case. It is validated like a row of an uploaded file.

        Raises a 404 problem for an unknown dataset, version or case, and a 422 problem for invalid content. Raises a
        409 problem if another case has the given name, or if the version is not a valid DRAFT. Raises a 503 problem if
        there are checks and the judge service does not answer.
        """
        await self._checks.require(written_checks(patch.checks))
        with unique(case_store.UNIQUE_NAME, what="test case in this version", field="name", value=patch.name):
            async with self._engine.begin() as connection:
                version = await _draft(connection, dataset_id, number)
                before = await case_store.find_case(connection, version.version_id, case_id)
                if before is None:
                    raise missing("test case in this version", case_id)
                digest = await case_store.digest_of(connection, case_id)
                case = _changed(before, patch, digest)
                _require_kinds(version, case)
                if not case.has_own_name and await case_store.has_name(connection, version.version_id, case):
                    # A name that is derived from the content is taken by a case with the same content: append the row
                    # number.
                    case = case if case.name == before.name else case.again(before.row_index + 1)
                await case_store.replace_case(connection, case_id, case)
                await _changed_version(connection, version, row_count=version.row_count)
                after = await case_store.find_case(connection, version.version_id, case_id)
                assert after is not None, "the transaction holds it"
                return after

    async def delete(self, dataset_id: UUID, number: int, case_id: UUID) -> None:
        if not (await self.delete_many(dataset_id, number, [case_id])).deleted:
            raise missing("test case in this version", case_id)

    async def delete_many(self, dataset_id: UUID, number: int, ids: Sequence[UUID]) -> DeletedCases:
        """Delete cases; unknown ids are ignored.

        Raises a 404 problem for an unknown dataset or version, and a 409 problem if the version is not a valid DRAFT.
        Also raises a 409 problem if no case would remain, or if a conversation would keep a turn after a deleted one.
        If a problem is raised, no case is deleted.
        """
        async with self._engine.begin() as connection:
            version = await _draft(connection, dataset_id, number)
            deleted = await case_store.delete_some(connection, version.version_id, ids)
            left = version.row_count - deleted
            if not left:
                raise Problem(409, "Nothing left", f"No case would be left. Delete version {number} instead.")
            if torn := await case_store.torn_conversation(connection, version.version_id) if deleted else None:
                raise Problem(
                    409,
                    "A later turn needs it",
                    f"The conversation '{torn.name[:80]}' would have a turn {torn.last} and {torn.turns} turns in all: "
                    "delete the later turns too, or the whole conversation.",
                )
            if deleted:
                await _changed_version(connection, version, row_count=left)
        return DeletedCases(deleted=deleted, row_count=left)


async def _draft(connection: AsyncConnection, dataset_id: UUID, number: int) -> VersionOut:
    version = await locked_version(connection, dataset_id, number)
    if version.status != VersionStatus.DRAFT:
        raise Problem(
            409,
            "Published",
            f"Version {number} is {version.status}, so it cannot be changed: export it, and upload a new version.",
        )
    if version.validation_status != ValidationStatus.VALID:
        raise Problem(
            409, "Not valid", f"Version {number} has bad rows, and therefore no cases. Upload the file again."
        )
    return version


async def _changed_version(connection: AsyncConnection, version: VersionOut, *, row_count: int) -> None:
    digest = await case_store.content_hash(connection, version.version_id)
    await version_store.update_version(connection, version.version_id, {"row_count": row_count, "content_hash": digest})
    await store.update_dataset(connection, version.dataset_id, {})
    await publish_change(connection, "updated", version.dataset_id)


def _changed(before: TestCaseOut, patch: TestCasePatch, digest: bytes) -> Case:
    """Return the case with the changes of the patch, validated like a row of a file. Raises a 422 `Problem` for invalid
    content.

    `digest` is the hash of the content before the change. A name that was derived from `digest` is derived
    from the new content instead.
    """
    fields = dict(fields_of(before))
    if before.name.startswith(f"case-{digest.hex()[:16]}"):
        # The case was named after its content, so the new content needs a new name.
        del fields["id"]
    given = patch.model_dump(exclude_unset=True, exclude={"input", "ground_truth", "checks"})
    if "checks" in patch.model_fields_set:
        fields["checks"] = written_checks(patch.checks)
    if patch.input is not None:
        fields = {name: value for name, value in fields.items() if name not in _INPUT}
        fields |= patch.input.model_dump(exclude_none=True)
    if "ground_truth" in patch.model_fields_set:
        fields["ground_truth"] = patch.ground_truth and patch.ground_truth.model_dump(exclude_none=True)
    if "name" in given:
        fields["id"] = given.pop("name")
    try:
        return case_of(fields | given, texts_only=False)
    except BadCase as error:
        raise _refused(error.faults) from None


def _require_kinds(version: VersionOut, case: Case) -> None:
    """Raise a 422 `Problem` if a metadata value has another type than the same field has in the other cases."""
    kinds = {column.name.removeprefix("metadata."): column.type for column in version.schema_.columns}
    faults: list[tuple[str | None, str]] = [
        (f"metadata.{name}", f"is a {kind}, but a {kinds[name]} in the other cases")
        for name, value in case.metadata.items()
        if name in kinds and (kind := kind_of(value)) is not None and kind != kinds[name]
    ]
    if faults:
        raise _refused(faults)


def _refused(faults: Sequence[tuple[str | None, str]]) -> Problem:
    errors = [FieldError(_place(name), message) for name, message in faults]
    return Problem(422, "Invalid request", f"{errors[0].field}: {errors[0].message}", errors=errors)


def _place(column: str | None) -> str:
    """Return the field of the request's body that corresponds to a column of a file."""
    head = (column or "body").partition(".")[0]
    if head in _INPUT:
        return f"input.{column}"
    return "name" if head == "id" else column or "body"
