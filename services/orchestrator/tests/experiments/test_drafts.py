"""Test the drafts of experiments: what is refused, and what may change."""

import json
from typing import Any

from run_world import World

PATH = "/v1/experiments"


def draft(**changes: Any) -> dict[str, Any]:
    """Return the request body of an experiment that is run outside llmbench and gets observations."""
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


async def test_observations_from_outside_are_analysed(world: World) -> None:
    body = draft(guardrail_metrics=["cost"], config={"method": "frequentist", "maximum_sample_size": 20, "seed": 7})
    experiment = (await world.http.post(PATH, json=body)).json()
    path = f"{PATH}/{experiment['experiment_id']}"
    assert (await world.http.post(f"{path}/assign", json={"unit_id": "u0"})).status_code == 409
    started = await world.http.post(f"{path}/start")
    assert (started.status_code, started.json()["status"]) == (200, "RUNNING")
    units = [f"u{index}" for index in range(60)]
    assigned = (await world.http.post(f"{path}/assign", json={"unit_ids": units})).json()["assignments"]
    again = (await world.http.post(f"{path}/assign", json={"unit_id": "u5"})).json()["assignments"]
    assert again == [assigned[5]]
    control, short = (variant["variant_id"] for variant in experiment["variants"])
    assert {each["variant_id"] for each in assigned} == {control, short}

    def observed(index: int, **changes: Any) -> dict[str, Any]:
        unit = assigned[index]
        value = (0.9 if unit["variant_id"] == short else 0.2) + index % 5 / 50
        return {
            "observation_id": f"o{index}",
            "unit_id": unit["unit_id"],
            "variant_id": unit["variant_id"],
            "value": value,
            "guardrails": {"cost": 0.01 + index % 3 / 1000},
        } | changes

    other = short if assigned[0]["variant_id"] == control else control
    for changes, field in (
        ({"variant_id": experiment["experiment_id"]}, "observations.0.variant_id"),
        ({"variant_id": other}, "observations.0.variant_id"),
        ({"value": 1.5}, "observations.0.value"),
        ({"value": True}, "observations.0.value"),
        ({"guardrails": {"speed": 1}}, "observations.0.guardrails.speed"),
        ({"guardrails": {"cost": -1}}, "observations.0.guardrails.cost"),
    ):
        refused = await world.http.post(f"{path}/observations", json={"observations": [observed(0, **changes)]})
        assert refused.status_code == 422, changes
        assert refused.json()["errors"][0]["field"].endswith(field), (changes, refused.text)
    sent = f'{{"observations": [{json.dumps(observed(0)).replace(str(observed(0)["value"]), "NaN")}]}}'
    as_json = {"Content-Type": "application/json"}
    assert (await world.http.post(f"{path}/observations", content=sent, headers=as_json)).status_code == 422

    everything = {"observations": [observed(index) for index in range(60)]}
    stored = (await world.http.post(f"{path}/observations", json=everything)).json()
    assert stored == {"accepted": 60, "duplicates": 0}
    repeated = await world.http.post(f"{path}/observations", json=everything)
    # A look may have stopped the experiment already, which then takes no more observations.
    assert repeated.status_code == 409 or repeated.json() == {"accepted": 0, "duplicates": 60}
    results = (await world.http.get(f"{path}/results")).json()
    assert results["analysis"]["winner"] == short
    assert [variant["assigned"] for variant in results["variants"]] == [
        sum(each["variant_id"] == id_ for each in assigned) for id_ in (control, short)
    ]
    assert (await world.http.get(path)).json()["stopped"]["rule"] == "decided"
