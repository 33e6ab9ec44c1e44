"""Define the endpoints of `/api/uploads`, which count and delete orphaned files."""

from fastapi import Request
from pydantic import BaseModel, Field

from config_api import state
from config_api.files.loose import OLD_ENOUGH, orphans, sweep
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

router = ServiceRouter(prefix="/api/uploads", tags=["uploads"], resource=Resource.STORAGE)


class Orphans(BaseModel):
    """The number of orphaned files, which no resource uses.

    They are left, for instance, by a crash during an upload, or by a deletion while the file store was unreachable.
    They are deleted automatically, at start and every hour.
    """

    files: int
    older_than_s: float = Field(description="Younger files may belong to an upload in progress.")


class Swept(BaseModel):
    deleted: int


@router.get("/orphans", operation_id="countOrphanedUploads")
async def count(request: Request) -> Orphans:
    """Return the number of orphaned files."""
    orphaned = await orphans(state.engine(request), state.files(request))
    return Orphans(files=sum(map(len, orphaned.values())), older_than_s=OLD_ENOUGH.total_seconds())


@router.post("/sweep", operation_id="sweepUploads")
async def sweep_now(request: Request) -> Swept:
    """Delete orphaned files now."""
    return Swept(deleted=await sweep(state.engine(request), state.files(request)))
