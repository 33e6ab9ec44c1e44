"""Test the numbers of cases in each group of a comparison, and which cases now pass or no longer pass."""

from typing import Any

from compared_columns import by_answer, by_name, cases, compare_columns, run_of
from run_world import World, scored

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.judge_answer import JudgeAnswer


async def test_groups_count_what_the_other_filters_choose(world: World) -> None:
    world.answer, world.judge = by_name, by_answer
    columns = await run_of(world, "model-a", "model-b", "model-c")
    chosen: list[tuple[dict[str, Any], tuple[int, ...]]] = [
        ({"of": 1}, (1, 1, 1, 0, 1, 1)),
        ({"of": 1, "show": "worse"}, (1, 1, 1, 0, 1, 1)),
        ({"of": 2}, (2, 0, 0, 1, 1, 0)),
        ({"of": 1, "q": "task-1", "show": "worse"}, (0, 0, 1, 0, 0, 0)),
        ({"of": 1, "category": "none"}, (0, 0, 0, 0, 0, 0)),
    ]
    for asked, counts in chosen:
        groups = (await cases(world, columns, **asked))["groups"]
        names = ("better", "worse", "equal", "missing", "gained", "lost")
        assert tuple(groups[name] for name in names) == counts, asked


async def test_gained_and_lost_cases_are_those_that_the_pass_comparison_counts(world: World) -> None:
    asked: dict[str, int] = {}

    async def passes_twice_in_three(command: JudgeAnswer) -> Verdict:
        asked[command.answer] = asked.get(command.answer, 0) + 1
        first = command.answer.startswith("model-a")
        return scored(9 if (asked[command.answer] <= 2) == first else 1)

    world.answer, world.judge = by_name, passes_twice_in_three
    columns = await run_of(world, "model-a", "model-b", epochs=3)
    (here,) = (await compare_columns(world, columns))["comparisons"]
    assert (here["passes"]["gained"], here["passes"]["lost"]) == (0, 3)
    page = await cases(world, columns, show="lost")
    assert (page["total"], page["groups"]["lost"], page["groups"]["gained"]) == (3, 3, 0)
