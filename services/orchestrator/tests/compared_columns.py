"""Create targets whose score in each case is known, and request comparisons of them. A target in a comparison is called
a column.
"""

from typing import Any

from run_world import World, answered, scored

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome, Rejected

# The scores of task-0, task-1 and task-2 by model; `None` means that the model gives no answer.
SCORES: dict[str, tuple[int | None, int | None, int | None]] = {
    "model-a": (4, 6, 8),
    "model-b": (6, 6, 3),
    "model-c": (6, 8, None),
}


async def by_name(command: GenerateCompletion) -> Outcome:
    model, question = command.request.model, command.request.messages[-1].content
    if command.purpose != Purpose.ITEM:
        return answered()
    if SCORES[model][int(question.split()[2])] is None:
        return Rejected(message="too long", http_status=400, cause="context_overflow")
    return answered(f"{model} says {question} of 100 %")


async def by_answer(command: JudgeAnswer) -> Verdict:
    raw = SCORES[command.answer.split()[0]][int(command.case.task_id[-1])]
    assert raw is not None
    return scored(raw)


async def run_of(world: World, *models: str, **more: Any) -> list[str]:
    """Finish a run of these models. Return the run's targets as columns, in the form `<run id>:<target id>` of the
    query parameter `column`."""
    run_id = await world.start(*models, check_providers=False, **more)
    run = await world.until_status(run_id, "FINISHED")
    return [f"{run_id}:{target['id']}" for target in run["targets"]]


async def compare_columns(world: World, columns: list[str], **more: Any) -> Any:
    """Return the API's comparison of the targets in `columns`. `more` has further query parameters."""
    response = await world.http.get("/api/comparisons", params={"column": columns, **more})
    assert response.status_code == 200, response.text
    return response.json()


async def cases(world: World, columns: list[str], **more: Any) -> Any:
    """Return one page of the cases in which the targets in `columns` are compared. `more` has further query
    parameters."""
    response = await world.http.get("/api/comparisons/cases", params={"column": columns, **more})
    assert response.status_code == 200, response.text
    return response.json()


async def verdicts(world: World, body: dict[str, Any]) -> Any:
    """Send `body` to `POST /v1/benchmarks/compare`, and return the JSON of the response."""
    response = await world.http.post("/v1/benchmarks/compare", json=body)
    assert response.status_code == 200, response.text
    return response.json()
