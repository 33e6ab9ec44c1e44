"""`/api/export-formats`: the formats in which a run's items can be exported."""

from pydantic import BaseModel, Field

from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter
from orchestrator.results.exports.base import formats


class ExportFormatOut(BaseModel):
    name: str = Field(description="The value of `format` in `GET /api/runs/{id}/export`.")
    title: str
    extension: str = Field(description="The extension of its files, without a dot.")
    media_type: str
    description: str
    one_target: bool = Field(description="Whether a file has room for one target only: choose it with `target_id`.")
    evaluator: str | None = Field(description="The kind of evaluator without which a run has nothing to write.")


class ExportFormats(BaseModel):
    items: list[ExportFormatOut]


def router() -> ServiceRouter:
    api = ServiceRouter(prefix="/api/export-formats", tags=["results"], resource=Resource.RUNS)

    @api.get("", operation_id="listExportFormats")
    async def list_export_formats() -> ExportFormats:
        """List the export formats: first those for every run, then reports and formats for special runs, each part
        sorted by title."""
        ordered = sorted(
            formats().values(),
            key=lambda export_format: (bool(export_format.json_schema or export_format.evaluator), export_format.title),
        )
        return ExportFormats(
            items=[ExportFormatOut.model_validate(export_format, from_attributes=True) for export_format in ordered]
        )

    return api
