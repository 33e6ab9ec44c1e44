"""Test that the demo's requests are valid, and that a demo succeeds only if nine of ten items are completed."""

import pytest

from config_api.tasks.schemas import TaskIn
from llmbench.ids import new_id
from llmbench_cli.demo.prepare import Prepared, run_body
from llmbench_cli.demo.run import succeeded
from llmbench_cli.demo.tasks import sample_tasks, varied
from orchestrator.runs.api.bodies import CreateRun


def _result(label: str = "a", **overrides: object) -> dict[str, object]:
    return {
        "label": label,
        "items": 20,
        "completed": 20,
        "mean_score": 0.4,
        "pass_rate": 0.25,
        "mean_time_ms": 1234.5,
        "mean_first_token_ms": 87.0,
        "mean_tokens_per_second": 130.2,
        **overrides,
    }


def test_sample_tasks_are_valid_and_complete() -> None:
    tasks = [TaskIn.model_validate(task) for task in sample_tasks()]
    assert len({task.task_id for task in tasks}) == len(tasks) >= 40
    assert len({task.category for task in tasks}) >= 4
    assert all(task.excellent and task.good and task.pass_ and task.incorrect_answer_direction for task in tasks)


def test_selection_of_tasks_covers_every_category() -> None:
    tasks = sample_tasks()
    categories = {task["category"] for task in tasks}
    assert {task["category"] for task in varied(tasks, len(categories))} == categories


def test_run_of_the_demo_is_a_valid_request() -> None:
    body = run_body(Prepared(provider_id=str(new_id()), collection_id=str(new_id()), tasks=20))
    run = CreateRun.model_validate(body)
    assert [target.params.temperature for target in run.targets] == [0.0, 0.8]
    assert len({target.label for target in run.targets}) == 2


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ({"status": "FINISHED", "results": [_result(), _result(completed=16)]}, True),
        ({"status": "FINISHED", "results": [_result(), _result(completed=15)]}, False),
        ({"status": "CANCELLED", "results": [_result()]}, False),
        ({"status": "FINISHED", "results": []}, False),
    ],
)
def test_demo_succeeds_only_if_nine_of_ten_items_are_completed(run: dict[str, object], expected: bool) -> None:
    assert succeeded(run) is expected
