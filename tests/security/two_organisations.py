"""Create an object of every kind in an organisation, and build a request with these objects' ids for every HTTP
operation."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx

from llmbench.db.tables import metadata
from llmbench.ids import new_id
from tests.platform import Platform
from tests.security.annotated import annotate
from tests.security.measured_judge import calibrate, check_judge
from tools.gen.access_table import INVITED

METHODS = ("get", "patch", "put", "post", "delete")
OUTBOXES = ("config_outbox", "run_outbox")
COUNTED = (
    "block_cluster",
    "block_figure",
    "block_score_figure",
    "counted_block",
    "run_block",
    "run_ranking",
    "spanning_cluster",
)
"""Tables of statistics, which a loop computes after a run."""
CASES = "id,input,expected_output\nq-1,{marker} one and one?,2\nq-2,{marker} two and two?,4\n"


@dataclass(frozen=True)
class Furnished:
    """The ids of the test objects that `furnish` created in an organisation. The texts of the objects contain `marker`.
    `ids` maps the name of a path parameter to its value."""

    marker: str
    ids: Mapping[str, str]
    task_id: str
    collection_id: str
    preset_id: str
    prompt_id: str
    prompt_version_id: str
    suite_id: str
    suite_run_id: str
    provider_id: str
    target_id: str
    revision_id: str
    version_id: str
    document_id: str
    baseline_id: str
    gate_id: str
    calibration_id: str
    annotation_ids: Mapping[str, str]


async def furnish(stack: Platform, marker: str) -> Furnished:
    """Create one object of every kind that the API can create, and a finished run."""
    provider = {
        "name": f"{marker} provider",
        "type": "CUSTOM_OPEN_AI_COMPATIBLE",
        "base_url": stack.provider_url,
        "headers": [{"header_key": "X-Team", "header_value": f"{marker} secret", "is_secret": True}],
    }
    provider_id = (await stack.post("/api/providers", provider))["id"]
    case = {"category": f"{marker} sums", "question": f"{marker}: one and one?", "excellent": "2"}
    task_id = (await stack.post("/api/tasks", {"task_id": f"{marker}-sum", **case}))["id"]
    collection = {"name": f"{marker} collection", "task_ids": [task_id]}
    collection_id = (await stack.post("/api/collections", collection))["id"]
    evaluators = [{"kind": "contains", "params": {"text": "2"}, "name": f"{marker} contains"}]
    preset = {"name": f"{marker} preset", "settings": {"max_retries": 2}}
    preset_id = (await stack.post("/api/evaluation-presets", preset))["id"]
    template = f"{marker}: {{{{question}}}}"
    made = await stack.post("/api/prompts", {"name": f"{marker} prompt", "user_template": template})
    prompt_id, prompt_version_id = made["id"], made["newest"]["id"]
    dataset = {"name": f"{marker} dataset", "type": "EVALUATION", "description": marker, "tags": [marker]}
    dataset_id = (await stack.post("/v1/datasets", dataset))["dataset_id"]
    file = ("cases.csv", CASES.format(marker=marker).encode())
    version = await _uploaded(stack, f"/v1/datasets/{dataset_id}/versions", file)
    await stack.post(f"/v1/datasets/{dataset_id}/versions/1/publish")
    cases = await stack.get(f"/v1/datasets/{dataset_id}/versions/1/cases")
    document = await _uploaded(stack, "/v1/documents", (f"{marker}.txt", f"{marker} page".encode()))
    run = {
        "name": f"{marker} run",
        "tags": [marker],
        "targets": [{"provider_id": provider_id, "model": "mock-0ms", "label": f"{marker} target"}],
        "judge": {"provider_id": provider_id, "model": "mock-0ms-judge"},
        "evaluators": [{"kind": "rubric"}, *evaluators],
        "collection_ids": [collection_id],
        "dataset_version_ids": [version["version_id"]],
        "check_providers": False,
    }
    run_id = (await stack.post("/api/runs", run))["id"]
    finished = await stack.until_status(run_id, "FINISHED")
    [item, *_] = await stack.items(run_id)
    comment = await stack.post(f"/api/runs/{run_id}/items/{item['id']}/comments", {"text": f"{marker} comment"})
    task = {"name": "q", "source": {"collection": f"{marker} collection"}, "evaluators": evaluators}
    suite = {"suite": {"name": f"{marker} suite", "tasks": [task]}, "publish": True}
    suite_id = (await stack.post("/api/suites/apply", suite))["suite"]["id"]
    model = {"name": "mock-0ms", "provider": f"{marker} provider"}
    benchmark = {"suite_id": suite_id, "model": model, "check_providers": False}
    suite_run_id = (await stack.post("/v1/benchmarks/runs", benchmark))["run_id"]
    await stack.until_status(suite_run_id, "FINISHED")
    baseline = {"subject": {"kind": "preset", "id": preset_id}, "label": marker, "run_id": run_id, "note": marker}
    baseline_id = (await stack.post("/api/baselines", baseline))["id"]
    revision_id = finished["evaluators"][0]["revision_id"]
    calibration_id = await calibrate(stack, marker, run_id, item["id"], revision_id)
    check_id = await check_judge(stack, marker, run["judge"])
    evaluation = {"input": f"{marker}?", "output": f"{marker} 2", "evaluators": evaluators}
    evaluated = await stack.post("/v1/evaluations", evaluation)
    batch = {"name": f"{marker} batch", "evaluators": evaluators}
    schedule = {"name": f"{marker} schedule", "cron": "0 0 29 2 *", "what": {"kind": "run", "request": run}}
    schedule_id = (await stack.post("/api/schedules", schedule))["id"]
    experiment = experiment_of(f"{marker} experiment") | {"hypothesis": marker, "sources": "none"}
    experiment_id = (await stack.post("/v1/experiments", experiment))["experiment_id"]
    outputs = json.dumps({"id": "o-1", "input": f"{marker}?", "output": f"{marker} 2"}).encode()
    annotated = await annotate(stack, marker, version["version_id"])
    job = await stack.http.post(
        "/v1/evaluations/batch", files={"file": ("outputs.jsonl", outputs)}, data={"request": json.dumps(batch)}
    )
    assert job.is_success, job.text
    return Furnished(
        marker=marker,
        ids={
            "run_id": run_id,
            "item_id": item["id"],
            "revision_id": revision_id,
            "dataset_id": dataset_id,
            "version_number": "1",
            "number": "1",
            "test_case_id": cases["cases"][0]["test_case_id"],
            "document_id": document["document_id"],
            "evaluation_id": evaluated["evaluation_id"],
            "job_id": job.json()["job_id"],
            "schedule_id": schedule_id,
            "experiment_id": experiment_id,
            "annotator_id": annotated.annotator_id,
            "check_id": check_id,
            "comment_id": comment["id"],
            "link_id": (await stack.post(f"/api/runs/{run_id}/report-links", {}))["link"]["id"],
        },
        annotation_ids=annotated.path_ids,
        task_id=task_id,
        collection_id=collection_id,
        preset_id=preset_id,
        prompt_id=prompt_id,
        prompt_version_id=prompt_version_id,
        suite_id=suite_id,
        suite_run_id=suite_run_id,
        provider_id=provider_id,
        target_id=finished["targets"][0]["id"],
        revision_id=revision_id,
        version_id=version["version_id"],
        document_id=document["document_id"],
        baseline_id=baseline_id,
        gate_id=await _gate(stack, baseline_id),
        calibration_id=calibration_id,
    )


def experiment_of(name: str) -> dict[str, Any]:
    """Return the body of an experiment with two variants."""
    variants = [{"name": "control", "is_control": True}, {"name": "other"}]
    return {"name": name, "primary_metric": "score", "variants": variants}


async def _gate(stack: Platform, baseline_id: str) -> str:
    """Store a gate. The API would refuse it, because the run has too few cases for a gate."""
    id_ = new_id()
    connection = await asyncpg.connect(stack.database_url)
    try:
        await connection.execute(
            "INSERT INTO gate (id, baseline_id, metric, margin, undecided, probability_fine, clusters, org_id)"
            " SELECT $1, id, 'score', 0.1, 'fail', 0.9, 3, org_id FROM baseline WHERE id = $2",
            *(id_, UUID(baseline_id)),
        )
    finally:
        await connection.close()
    return str(id_)


async def _uploaded(stack: Platform, path: str, file: tuple[str, bytes]) -> dict[str, Any]:
    response = await stack.http.post(path, files={"file": file})
    assert response.status_code == 201, response.text
    answer: dict[str, Any] = response.json()
    return answer


@dataclass(frozen=True)
class Operation:
    method: str
    path: str

    @property
    def names_something(self) -> bool:
        """Return whether the path contains the id of an object. Paths for invited people are excluded, because such
        requests are refused without an invitation's token, whatever the id is."""
        return "{" in self.path and not self.path.startswith(INVITED)

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"


async def operations(stack: Platform) -> list[Operation]:
    """Return the operations of all services, from their OpenAPI documents. Operations that delete objects come last."""
    found = []
    for name in stack.ports:
        document = (await stack.http.get(f"/openapi/{name}.json")).json()
        found += [Operation(method, path) for path, of_path in document["paths"].items() for method in of_path]
    return sorted(
        (operation for operation in found if operation.method in METHODS),
        key=lambda operation: METHODS.index(operation.method),
    )


def request_of(operation: Operation, theirs: Furnished) -> tuple[str, dict[str, Any]]:
    """Return the URL and the arguments of a valid request for the operation. Every id in the request is that of an
    object in `theirs`."""
    resource = operation.path.split("/")[2]
    of_resource = {
        "baselines": theirs.baseline_id,
        "calibrations": theirs.calibration_id,
        "collections": theirs.collection_id,
        "evaluation-presets": theirs.preset_id,
        "gates": theirs.gate_id,
        "prompts": theirs.prompt_id,
        "providers": theirs.provider_id,
        "suites": theirs.suite_id,
        "tasks": theirs.task_id,
    }
    of_suite = "suite" in operation.path or "/benchmarks/runs/" in operation.path
    ids = {**theirs.ids, "run_id": theirs.suite_run_id} if of_suite else theirs.ids
    if operation.path.startswith("/v1/annotations"):
        ids = {**ids, **theirs.annotation_ids}
    url = operation.path.format(**ids, id=of_resource.get(resource, ""))
    return url, bodies(theirs).get(str(operation), {})


def bodies(theirs: Furnished) -> dict[str, dict[str, Any]]:
    """Return arguments of httpx, such as a JSON body, by operation. All names in the bodies are new, because a conflict
    of names could hide that an id does not exist."""
    new = f"new {uuid4()}"
    task = {"task_id": uuid4().hex, "category": "c", "question": "?"}
    provider = {"type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": "http://127.0.0.1:9", "name": new}
    preset = {"name": new, "settings": {"max_retries": 2}}
    evaluators = [{"kind": "contains", "params": {"text": "2"}}]
    target = {"provider_id": theirs.provider_id, "model": "mock-0ms"}
    template = {"user_template": f"{new} {{{{question}}}}"}
    run = {"targets": [target], "collection_ids": [theirs.collection_id], "evaluators": evaluators}
    schedule = {"name": new, "cron": "0 0 29 2 *", "what": {"kind": "run", "request": run}}
    version = "/v1/datasets/{dataset_id}/versions"
    suite = {"name": new, "tasks": [{"name": "t", "source": {"dataset_version_id": theirs.version_id}}]}
    model = {"name": "mock-0ms", "provider": theirs.provider_id}
    labels = {"labels": {"label": "no"}}
    whose = {"annotator_id": theirs.ids["annotator_id"]}
    annotation = "/v1/annotations/tasks/{task_id}"
    of_run = {"run_id": theirs.ids["run_id"]}
    columns = {"params": {"column": [f"{theirs.ids['run_id']}:{theirs.target_id}"] * 2}}
    return {
        "POST /api/providers/import-llm-eval-config": {"json": {}},
        "POST /api/tasks/import": {
            "params": {"collection_id": theirs.collection_id, "file_name": "tasks.csv"},
            "content": f"task_id,category,question\n{uuid4().hex},c,q\n".encode(),
            "headers": {"Content-Type": "text/csv"},
        },
        "GET /api/runs/{run_id}/items/excerpts": {"params": {"item_id": theirs.ids["item_id"]}},
        "GET /api/tasks": {"params": {"collection_id": theirs.collection_id}},
        "GET /api/tasks/export": {"params": {"format": "json", "collection_id": theirs.collection_id}},
        "POST /api/collections/{id}/publish": {"json": {"dataset_name": new}},
        "POST /v1/documents/{document_id}/publish": {"json": {"dataset_name": new}},
        "POST /api/collections": {"json": {"name": new, "task_ids": [theirs.task_id]}},
        "PUT /api/collections/{id}": {"json": {"name": new, "task_ids": []}},
        "PATCH /api/collections/{id}/tasks": {"json": {"unassign": [theirs.task_id]}},
        "POST /v1/datasets": {"json": {"name": new, "type": "EVALUATION"}},
        "PATCH /v1/datasets/{dataset_id}": {"json": {"name": new}},
        f"POST {version}": {"files": {"file": ("c.csv", b"id,input,expected_output\na,b,c\n")}},
        f"POST {version}/{{version_number}}/sample": {"json": {"size": 1}},
        f"POST {version}/{{version_number}}/cases/delete": {"json": {"test_case_ids": [theirs.ids["test_case_id"]]}},
        f"PATCH {version}/{{version_number}}/cases/{{test_case_id}}": {"json": {"name": new}},
        "POST /v1/documents": {"files": {"file": ("new.txt", b"text")}},
        "POST /api/evaluation-presets": {"json": preset},
        "PUT /api/evaluation-presets/{id}": {"json": preset},
        "POST /api/prompts": {"json": {"name": new, **template}},
        "PUT /api/prompts/{id}": {"json": {"name": new}},
        "POST /api/prompts/{id}/versions": {"json": template},
        "POST /api/prompts/preview": {"json": template | {"collection_id": theirs.collection_id}},
        "POST /api/providers": {"json": provider},
        "PUT /api/providers/{id}": {"json": provider},
        "POST /api/providers/test": {"json": provider | {"id": theirs.provider_id}},
        "POST /api/tasks": {"json": task},
        "PUT /api/tasks/{id}": {"json": task},
        "POST /api/tasks/delete": {"json": {"ids": [theirs.task_id]}},
        "POST /api/runs": {"json": run},
        "POST /api/schedules": {"json": schedule},
        "PUT /api/schedules/{schedule_id}": {"json": schedule},
        "GET /api/schedules/next-times": {"params": {"cron": "0 2 * * *"}},
        "POST /api/runs/tag": {"json": {"run_ids": [theirs.ids["run_id"]], "add": [new]}},
        "POST /api/runs/delete": {"json": {"run_ids": [theirs.ids["run_id"]]}},
        "GET /api/runs/groups": {"params": {"by": "tag"}},
        "PATCH /api/runs/{run_id}": {"json": {"name": new}},
        "POST /api/runs/{run_id}/move": {"json": {"position": 1}},
        "POST /api/runs/{run_id}/resume": {"json": {}},
        "POST /api/runs/{run_id}/retry-failed": {"json": {}},
        "POST /api/runs/{run_id}/retry-judging": {"json": {}},
        "POST /api/runs/{run_id}/evaluators": {"json": {"evaluators": evaluators}},
        "PUT /api/runs/{run_id}/items/{item_id}/overrulings/{revision_id}": {
            "json": {"score": 0.5, "reason": "?", "by": new}
        },
        "DELETE /api/runs/{run_id}/items/{item_id}/overrulings/{revision_id}": {"params": {"by": new}},
        "POST /api/runs/{run_id}/items/{item_id}/comments": {"json": {"text": new}},
        "POST /api/runs/{run_id}/report-links": {"json": {}},
        "POST /api/runs/{run_id}/promote": {"json": {"revision_id": theirs.revision_id}},
        **{f"GET /api/comparisons{part}": columns for part in ("", "/cases", "/categories", "/scores", "/report")},
        "POST /v1/benchmarks/compare": {"json": {"run_ids": [theirs.ids["run_id"]] * 2}},
        "POST /v1/benchmarks/runs": {"json": {"suite_id": theirs.suite_id, "model": model}},
        "GET /api/leaderboards": {"params": {"suite": theirs.suite_id}},
        "POST /api/suites": {"json": suite},
        "POST /api/suites/apply": {"json": {"suite": suite}},
        "PUT /api/suites/{id}": {"json": suite},
        "POST /v1/benchmarks/check-gate": {"json": of_run | {"gate": {"metric": "contains", "margin": 0.05}}},
        "POST /api/judge-checks": {"json": {"judge": {"provider_id": theirs.provider_id, "model": "m"}}},
        "POST /v1/evaluations": {
            "json": {
                "input": "?",
                "output": "2",
                "evaluators": [{"kind": "rubric", "judge": {"provider_id": theirs.provider_id, "model": "m"}}],
            }
        },
        "POST /v1/evaluations/batch": {"json": {"dataset_version_id": theirs.version_id, "evaluators": evaluators}},
        "GET /api/baselines": {"params": {"subject_kind": "preset", "subject_id": theirs.preset_id}},
        "POST /api/baselines": {"json": of_run | {"subject": {"kind": "preset", "id": theirs.preset_id}}},
        "GET /api/calibrations": {"params": of_run},
        "GET /api/calibrations/judges": {"params": of_run},
        "POST /api/calibrations": {"json": of_run | {"labels": [{"item_id": theirs.ids["item_id"], "label": 7}]}},
        "PATCH /api/calibrations/{id}": {"json": {"name": new}},
        "POST /api/baselines/{id}/promote": {"json": of_run},
        "POST /api/baselines/{id}/gates": {"json": {"metric": "pass_rate", "margin": 0.1}},
        "PATCH /api/gates/{id}": {"json": {"undecided": "ok"}},
        "POST /v1/annotations/annotators": {"json": {"name": new}},
        "PATCH /v1/annotations/annotators/{annotator_id}": {"json": {"name": new}},
        "POST /v1/annotations/tasks": {
            "json": {
                "name": new,
                "dataset_version_id": theirs.version_id,
                "instructions": "?",
                "annotation_schema": {"type": "text"},
            }
        },
        f"PATCH {annotation}": {"json": {"name": new}},
        f"GET {annotation}/next": {"params": whose},
        f"POST {annotation}/items/{{item_id}}": {"params": whose, "json": labels},
        f"PUT {annotation}/items/{{item_id}}/draft": {"params": whose, "json": labels},
        f"POST {annotation}/undo": {"params": whose},
        f"POST {annotation}/invitations": {"json": {"name": new}},
        f"PUT {annotation}/items/{{item_id}}/decision": {"json": labels},
        f"POST {annotation}/export": {"json": {}},
        f"POST {annotation}/dataset-version": {"json": {}},
        "GET /v1/annotations/work": {"params": whose},
        "POST /v1/experiments": {"json": experiment_of(new)},
        "PUT /v1/experiments/{experiment_id}": {"json": experiment_of(new)},
        "POST /v1/experiments/plan": {"json": experiment_of(new)},
        "POST /v1/experiments/{experiment_id}/conclude": {"json": {"winner": "no_winner"}},
        "POST /v1/experiments/{experiment_id}/assign": {"json": {"unit_id": "u"}},
        "POST /v1/experiments/{experiment_id}/observations": {
            "json": {"observations": [{"observation_id": "o", "unit_id": "u", "variant_id": str(uuid4()), "value": 1}]}
        },
        "POST /api/retention/prune": {"json": {"older_than_days": 1}},
    }


def texts_of(response: httpx.Response) -> Iterator[str]:
    yield response.text
    yield from response.headers.values()


async def rows_of(database_url: str, org_id: str) -> dict[str, str | None]:
    """Return a digest of the organisation's rows in each table, read as the superuser. Outboxes and statistics are left
    out, because background tasks change them."""
    connection = await asyncpg.connect(database_url)
    try:
        return {
            name: await connection.fetchval(
                # The names come from the metadata.
                f"SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM {name} t WHERE org_id = $1",
                org_id,
            )
            for name, table in metadata.tables.items()
            if "org_id" in table.columns and name not in (*OUTBOXES, *COUNTED)
        }
    finally:
        await connection.close()


def described(response: httpx.Response) -> str:
    return f"{response.status_code} {json.dumps(response.text[:300])}"
