"""Read the cases of a run whose scores differ from those of the baseline."""

from llmbench_cli.ci.outcome import ChangedCase, Changes, Side
from llmbench_cli.client import Client, Json

MOST_CASES = 20


async def read_changes(client: Client, baseline_run: str, run_id: str) -> Changes:
    """Compare each target with the same target of the baseline run, and return the cases whose scores differ. At most
    20 cases are listed, the greatest loss first. Targets that the baseline run lacks are left out."""
    compared = await client.post("/v1/benchmarks/compare", {"run_ids": [baseline_run, run_id]})
    found: list[ChangedCase] = []
    worse = better = 0
    for comparison in compared["comparisons"]:
        columns = comparison["columns"]
        before = columns[comparison["baseline"]]
        for pair in comparison["comparisons"]:
            here = columns[pair["column"]]
            score = pair["score"]
            if score is None:
                continue
            worse, better = worse + score["worse"], better + score["better"]
            page = await client.get(
                "/api/comparisons/cases",
                column=[f"{each['run_id']}:{each['target_id']}" for each in (before, here)],
                show="differing",
                sort="delta",
                limit=MOST_CASES,
            )
            found += [_case(case, here["label"]) for case in page["items"]]
    found.sort(key=lambda case: (case.difference, case.target, case.name))
    return Changes(tuple(found[:MOST_CASES]), worse, better)


def _case(case: Json, target: str) -> ChangedCase:
    before, here = case["cells"]
    task, slash, _ = case["task_id"].partition("/")
    return ChangedCase(
        target=target,
        task=task if slash else "",
        name=case["task_id"],
        question=case["question"],
        difference=here["difference"],
        before=_side(before),
        here=_side(here),
    )


def _side(cell: Json) -> Side:
    failure = cell["failure"]
    answer = cell["answer"]
    return Side(
        score=cell["score_normalised"],
        answer=f"{answer} …" if cell["truncated"] else answer,
        failure=failure["message"] if failure else None,
    )
