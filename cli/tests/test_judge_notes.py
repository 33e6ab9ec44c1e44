"""Test which judges of many runs are reported as never compared with people."""

import httpx

from llmbench_cli.client import Client
from llmbench_cli.runs.judge_notes import judge_notes


async def test_judges_of_more_runs_than_a_request_may_name_are_each_reported_once() -> None:
    asked: list[list[str]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        runs = request.url.params.get_list("run_id")
        asked.append(runs)
        judges = [
            _judge("shared", runs[0], calibration_id=None),
            _judge("measured", runs[0], calibration_id="calibration"),
            *(_judge("late", run, calibration_id=None) for run in runs if run == "run 449"),
        ]
        return httpx.Response(200, json={"judges": judges})

    run_ids = [f"run {number}" for number in range(450)]
    async with Client("http://platform", transport=httpx.MockTransport(answer)) as client:
        notes = await judge_notes(client, [*run_ids, *run_ids])
    assert [run for runs in asked for run in runs] == run_ids
    assert max(map(len, asked)) == 200
    assert [note.split(" was not measured")[0] for note in notes] == [
        "The judge shared (Rubric)",
        "The judge late (Rubric)",
    ]


def _judge(name: str, run_id: str, *, calibration_id: str | None) -> dict[str, str | None]:
    return {
        "judge": name,
        "title": "Rubric",
        "run_id": run_id,
        "evaluator_revision_id": f"revision of {name}",
        "calibration_id": calibration_id,
    }
