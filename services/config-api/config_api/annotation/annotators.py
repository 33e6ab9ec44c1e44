"""Create, list and change annotators."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.annotation import annotator_store
from config_api.annotation.schemas import AnnotatorIn, AnnotatorOut, AnnotatorPage, AnnotatorPatch
from config_api.conflicts import unique
from config_api.versions import missing, require_match
from llmbench.contracts.annotation_words import AnnotatorStatus


class AnnotatorService:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def list(self, *, q: str | None, status: AnnotatorStatus | None, limit: int, offset: int) -> AnnotatorPage:
        async with self._engine.connect() as connection:
            found, total = await annotator_store.list_annotators(
                connection, q=q, status=status, limit=limit, offset=offset
            )
        return AnnotatorPage(annotators=found, total=total, has_more=offset + len(found) < total)

    async def get(self, id_: UUID) -> AnnotatorOut:
        async with self._engine.connect() as connection:
            found = await annotator_store.find_annotator(connection, id_)
        if found is None:
            raise missing("annotator", id_)
        return found

    async def create(self, body: AnnotatorIn) -> AnnotatorOut:
        """Create an annotator. Raises a 409 problem if the e-mail address is taken."""
        with unique(annotator_store.UNIQUE_EMAIL, what="annotator", field="email", value=body.email or ""):
            async with self._engine.begin() as connection:
                return await annotator_store.insert_annotator(connection, body.model_dump())

    async def change(self, id_: UUID, patch: AnnotatorPatch, *, if_match: str | None) -> AnnotatorOut:
        """Change an annotator. The labels of a BLOCKED annotator no longer count; the labels of an INACTIVE annotator
        still do."""
        with unique(annotator_store.UNIQUE_EMAIL, what="annotator", field="email", value=patch.email or ""):
            async with self._engine.begin() as connection:
                before = await annotator_store.find_annotator(connection, id_, lock=True)
                if before is None:
                    raise missing("annotator", id_)
                require_match(if_match, before.version)
                return await annotator_store.update_annotator(connection, id_, patch.model_dump(exclude_unset=True))
