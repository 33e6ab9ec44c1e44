"""Test drafts of experiments: what is refused, and what may change."""

from typing import Any

from run_world import World

PATH = "/v1/experiments"


def draft(**changes: Any) -> dict[str, Any]:
    """Return the body of an experiment with observations from outside."""
    return {
        "name": "Shorter prompt",
        "hypothesis": "A shorter prompt answers as well.",
        "type": "AB_TEST",
        "primary_metric": "score",
        "guardrail_metrics": ["cost", {"metric": "safety", "margin": 0.02}],
        "config": {"method": "frequentist", "seed": 7, "maximum_sample_size": 100},
        "variants": [
            {"name": "control", "is_control": True, "traffic_allocation": 0.5},
            {"name": "short", "traffic_allocation": 0.5, "config": {"prompt_version": "v2"}},
        ],
        "sources": "none",
    } | changes


async def test_draft_is_created_listed_changed_and_deleted(world: World) -> None:
    created = await world.http.post(PATH, json=draft())
    assert created.status_code == 201, created.text
    shown = created.json()
    assert shown["status"] == "DRAFT"
    assert [guardrail["margin"] for guardrail in shown["guardrail_metrics"]] == [0.1, 0.02]
    assert shown["config"]["design"] == "split"
    assert (await world.http.post(PATH, json=draft())).status_code == 409
    path = f"{PATH}/{shown['experiment_id']}"
    assert created.headers["Location"] == path
    stale = await world.http.put(path, json=draft(name="Other"), headers={"If-Match": '"9"'})
    assert stale.status_code == 412
    changed = await world.http.put(path, json=draft(name="Other"), headers={"If-Match": created.headers["ETag"]})
    assert (changed.status_code, changed.json()["name"], changed.json()["version"]) == (200, "Other", 2)
    page = (await world.http.get(PATH, params={"status": "DRAFT", "search": "shorter"})).json()
    assert (page["total"], page["has_more"], page["experiments"][0]["name"]) == (1, False, "Other")
    assert (await world.http.get(PATH, params={"search": "nothing"})).json()["experiments"] == []
    assert (await world.http.delete(path)).status_code == 204
    assert (await world.http.get(path)).status_code == 404


def variants(*controls: bool, share: float = 0.5) -> list[dict[str, Any]]:
    return [
        {"name": f"v{index}", "is_control": control, "traffic_allocation": share}
        for index, control in enumerate(controls)
    ]


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"variants": variants(False, False)}, "variants", "no control"),
    ({"variants": variants(True, True)}, "variants", "both the control"),
    ({"variants": variants(True, False, share=0.4)}, "variants", "add up to 0.8"),
    ({"guardrail_metrics": ["score"]}, "guardrail_metrics.0", "is the primary metric already"),
    ({"sources": None, "guardrail_metrics": ["kindness"]}, "guardrail_metrics.0", "no evaluator gives 'kindness'"),
    ({"sources": None, "guardrail_metrics": [], "primary_metric": "kindness"}, "primary_metric", "no evaluator"),
    ({"config": {"design": "paired"}}, "config.design", "choose split"),
    ({"config": {"minimum_sample_size": 9, "maximum_sample_size": 8}}, "config.minimum_sample_size", "more than"),
    ({"sources": {}, "guardrail_metrics": []}, "sources", "at least one collection"),
]


async def test_bad_input_is_refused_with_its_field(world: World) -> None:
    for changes, field, words in REFUSED:
        refused = await world.http.post(PATH, json=draft(**changes))
        assert refused.status_code == 422, (changes, refused.text)
        assert [error["field"] for error in refused.json()["errors"]] == [field], changes
        assert words in refused.json()["detail"], changes
