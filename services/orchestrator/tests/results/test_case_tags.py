"""Test the statistics per tag of the cases. They must equal the statistics of the items that have the tag."""

from typing import Any
from uuid import UUID

import pytest
from run_versions import a_case, insert_version
from run_world import World, answered, contained

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Malformed, Outcome

pytestmark = pytest.mark.never_rerun

# The tags are also the categories, so the figures of a category are those of its tag.
CASES = [
    a_case(f"case-{at}", category=f"part {at % 3}", tags=[f"part {at % 3}", "all"], document=f"document {at % 4}")
    for at in range(12)
]


async def finished(world: World, cases: list[dict[str, Any]]) -> UUID:
    version = await insert_version(world, cases)
    run_id = await world.start("model-a", "model-b", dataset_version_ids=[str(version)], collection_ids=[])
    await world.until_status(run_id, "FINISHED")
    return run_id


async def detail(world: World, run_id: UUID, *include: str) -> dict[str, Any]:
    response = await world.http.get(f"/api/runs/{run_id}", params={"include": include})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def test_figures_of_a_tag_are_those_of_its_items(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        asked = command.request.messages[-1].content
        return Malformed(message="no choices") if "case-5" in asked else answered()

    async def judge(command: JudgeAnswer) -> Verdict:
        return contained(command.case.task_id in ("case-0", "case-3", "case-4", "case-8"))

    world.answer, world.judge = answer, judge
    run_id = await finished(world, CASES)
    run = await detail(world, run_id, "case_tags")
    assert run["tasks"] is None
    tags = {each["tag"]: each for each in run["case_tags"]}
    assert list(tags) == ["all", "part 0", "part 1", "part 2"]
    for category in run["categories"]:
        expected = {name: value for name, value in category.items() if name not in ("category", "zeros")}
        found = tags[category["category"]]
        assert {name: found[name] for name in expected} == expected, category["category"]
    for name in ("items", "completed", "scored", "clusters", "mean_score", "pass_rate", "mean_score_interval"):
        assert tags["all"][name] == run["totals"][name], name
    for target, expected in zip(tags["all"]["targets"], run["results"], strict=True):
        assert {name: target[name] for name in target} == {name: expected[name] for name in target}
    assert tags["all"]["mean_score_interval"] is not None
    assert (await detail(world, run_id))["case_tags"] is None


async def test_tags_that_are_no_texts_are_left_out(world: World) -> None:
    run_id = await finished(
        world,
        [
            a_case("twice", tags=["hard", "hard", None, 7]),
            a_case("text", tags="hard"),
            a_case("both", tags=["new", "hard"]),
            a_case("none"),
        ],
    )
    found = (await detail(world, run_id, "case_tags", "tasks"))["case_tags"]
    assert [(each["tag"], each["items"]) for each in found] == [("hard", 4), ("new", 2)]
    assert [(each["label"], each["items"]) for each in found[0]["targets"]] == [("model-a", 2), ("model-b", 2)]
