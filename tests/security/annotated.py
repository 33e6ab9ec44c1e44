"""Create an annotation task in an organisation, with an annotator, a submission and an invitation."""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.platform import Platform


@dataclass(frozen=True)
class Annotated:
    """The ids of an annotation task and of what belongs to it. `path_ids` maps the name of a path parameter of the
    task's operations to its value."""

    annotator_id: str
    path_ids: Mapping[str, str]


async def annotate(stack: Platform, marker: str, version_id: str) -> Annotated:
    """Annotate a case of a dataset's version. The texts contain `marker`."""
    labels = {"type": "classification", "options": [{"value": f"{marker} yes"}, {"value": "no"}]}
    task = {
        "name": f"{marker} labels",
        "dataset_version_id": version_id,
        "instructions": f"{marker}: is it right?",
        "annotation_schema": labels,
    }
    task_id = (await stack.post("/v1/annotations/tasks", task))["task_id"]
    of_task = f"/v1/annotations/tasks/{task_id}"
    await stack.post(f"{of_task}/activate")
    annotator = {"name": f"{marker} annotator", "email": f"{marker}@example.org"}
    annotator_id = (await stack.post("/v1/annotations/annotators", annotator))["annotator_id"]
    # With sign-in the person is the annotator, so requests name no annotator.
    signed_in = (await stack.http.get(f"{of_task}/next")).is_success
    query = {} if signed_in else {"annotator_id": annotator_id}
    held = await stack.get(f"{of_task}/next", **query)
    invited = await stack.post(f"{of_task}/invitations", {"name": f"{marker} guest"})
    given = {"labels": {"label": f"{marker} yes"}, "note": marker}
    submitted = await stack.http.post(f"{of_task}/items/{held['item_id']}", params=query, json=given)
    assert submitted.is_success, submitted.text
    path_ids = {
        "task_id": task_id,
        "item_id": held["item_id"],
        "invitation_id": invited["invitation"]["invitation_id"],
    }
    return Annotated(annotator_id, path_ids)
