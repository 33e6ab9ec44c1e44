"""Create an annotation task about answers of a run, with the labels of three people, for the pictures."""

from typing import Any, Final

from tests.platform import Platform

PATH: Final = "/v1/annotations"
PEOPLE: Final = ("Amara Diallo", "Jonas Weber", "Mei Tanaka")
_INSTRUCTIONS: Final = """# Is this answer of use?

Read the question, then the answer. Judge only what is **there**.

- *Useful*: it answers the question, and nothing in it is wrong.
- *Partly useful*: the main point is right, details are not.
- *Not useful*: it is wrong, or it answers another question.

Use the note if something is unclear. Skip items outside your field.
"""
_SCHEMA: Final[dict[str, Any]] = {
    "fields": [
        {
            "name": "verdict",
            "type": "classification",
            "title": "How useful is the answer?",
            "options": [
                {"value": "useful", "label": "Useful"},
                {"value": "partly", "label": "Partly useful"},
                {"value": "not", "label": "Not useful"},
            ],
        },
        {
            "name": "tone",
            "type": "rating",
            "title": "How does it sound?",
            "scale": {"min": 1, "max": 5, "labels": {"1": "cold", "3": "neutral", "5": "warm"}},
        },
        {
            "name": "why",
            "type": "text",
            "title": "What is wrong?",
            "only_if": {"field": "verdict", "values": ["partly", "not"]},
        },
    ]
}


async def annotate(stack: Platform, run_id: str) -> str:
    """Create an active annotation task about the run's answers. Three people have labelled half of its items. Return
    the task's id."""
    task = await stack.post(
        f"{PATH}/tasks",
        {
            "name": "Are the answers of use?",
            "description": "Answers of four models to everyday questions, without their names.",
            "instructions": _INSTRUCTIONS,
            "annotation_schema": _SCHEMA,
            "run": {"run_id": run_id},
            "sampling_config": {"sample_size": 40, "seed": 7},
        },
    )
    path = f"{PATH}/tasks/{task['task_id']}"
    await stack.post(f"{path}/activate", {})
    for number, name in enumerate(PEOPLE):
        person = (await stack.post(f"{PATH}/annotators", {"name": name}))["annotator_id"]
        await _label(stack, path, person, number)
    return str(task["task_id"])


async def _label(stack: Platform, path: str, person: str, number: int) -> None:
    query = {"annotator_id": person}
    item = await stack.get(f"{path}/next", **query)
    for place in range(24):
        # Each person has an opinion of their own about every seventh item.
        verdict = ("useful", "useful", "partly")[place % 3] if (place + number) % 7 else "not"
        labels: dict[str, Any] = {"verdict": verdict, "tone": 3 + (place + number) % 2}
        if verdict != "useful":
            labels["why"] = "The figure has no source." if place % 2 else "It answers only half of the question."
        body: dict[str, Any] = {"labels": labels, "time_spent_seconds": 12 + (place * 7 + number * 5) % 30}
        if verdict == "not" and number == 1:
            body["note"] = "Two of us may read the question differently."
        answer = await stack.http.post(f"{path}/items/{item['item_id']}", params=query, json=body)
        item = answer.raise_for_status().json()["next"]
