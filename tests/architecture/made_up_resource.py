"""The source of an invented resource, `labels`. Tests add these files to a copy of the repository, as an engineer
would."""

from llmbench.db.history import head

_ROOM = "services/config-api/config_api/labels"
_DB = "libs/common/llmbench/db"

FOLDER = {
    f"{_ROOM}/__init__.py": '"""Labels."""\n',
    f"{_ROOM}/resource.py": '''"""`/api/labels`."""

from config_api.labels.endpoints import router
from config_api.resource import Resource

RESOURCE = Resource(routers=(router,))
''',
    f"{_ROOM}/endpoints.py": '''"""`/api/labels` over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Depends
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api import state
from config_api.labels import store
from config_api.labels.schemas import LabelIn, LabelOut, LabelPage

router = APIRouter(prefix="/api/labels", tags=["labels"])
Engine = Annotated[AsyncEngine, Depends(state.engine)]


@router.get("")
async def list_labels(engine: Engine) -> LabelPage:
    """List them by name."""
    async with engine.connect() as connection:
        return LabelPage(items=await store.list_labels(connection))


@router.post("", status_code=201)
async def create_label(body: LabelIn, engine: Engine) -> LabelOut:
    async with engine.begin() as connection:
        return await store.insert_label(connection, body)
''',
    f"{_ROOM}/schemas.py": '''"""Bodies of `/api/labels`."""

from uuid import UUID

from pydantic import BaseModel

from config_api.bodies import Input, Name


class LabelIn(Input):
    name: Name


class LabelOut(BaseModel):
    id: UUID
    name: str


class LabelPage(BaseModel):
    items: list[LabelOut]
''',
    f"{_ROOM}/store.py": '''"""The table `label`: one function per query, on the caller's transaction."""

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.labels.schemas import LabelIn, LabelOut
from llmbench.db.tables.labels import label
from llmbench.ids import DEFAULT_ORG_ID, new_id


async def insert_label(connection: AsyncConnection, body: LabelIn) -> LabelOut:
    values = {"id": new_id(), "org_id": DEFAULT_ORG_ID, "name": body.name}
    row = (await connection.execute(insert(label).values(values).returning(*label.c))).one()
    return LabelOut(id=row.id, name=row.name)


async def list_labels(connection: AsyncConnection) -> list[LabelOut]:
    rows = await connection.execute(select(label).order_by(label.c.name))
    return [LabelOut(id=row.id, name=row.name) for row in rows]
''',
}
TABLE = {
    f"{_DB}/tables/labels.py": '''"""Labels of cases."""

from sqlalchemy import Column, Table, Text

from llmbench.db.columns import id_column, org_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

label = Table(
    "label",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    info=owned_by("config-api", readers=["orchestrator"]),
)
''',
}
MIGRATION = {
    f"{_DB}/migrations/versions/v9999_labels.py": f'''"""Labels."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head()}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "label",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("org_id", sa.Uuid(), sa.ForeignKey("organisation.id", ondelete="RESTRICT"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
    )
''',
}
FILES = {**FOLDER, **TABLE, **MIGRATION}
