"""Measure a judge in an organisation: against a person's label, and on a prepared answer."""

from tests.platform import Platform


async def calibrate(stack: Platform, marker: str, run_id: str, item_id: str, revision_id: str) -> str:
    """Measure the judge of a run against one label. The names of the calibration and of its annotator contain `marker`.
    Return the id of the calibration."""
    calibration = {
        "name": f"{marker} calibration",
        "run_id": run_id,
        "evaluator_revision_id": revision_id,
        "labels": [{"item_id": item_id, "label": 7, "annotator": f"{marker} person"}],
    }
    id_: str = (await stack.post("/api/calibrations", calibration))["id"]
    return id_


async def check_judge(stack: Platform, marker: str, judge: object) -> str:
    """Let a judge score one prepared answer. The texts contain `marker`: the question, the answer, and the name of
    the set of prepared answers. Return the id of the judge check."""
    prepared = {"id": "a", "question": f"{marker}: one and one?", "answer": f"{marker} 3", "right": "fail"}
    asked = {"judge": judge, "set": {"name": f"{marker} cases", "cases": [prepared]}, "check_providers": False}
    check = await stack.until_status((await stack.post("/api/judge-checks", asked))["id"], "FINISHED")
    id_: str = check["id"]
    return id_
