"""The evidence of a small run in which the auditor finds no violation.

Tests of the auditor manipulate this evidence, and check that the auditor reports each manipulation.
"""

from tests.chaos.browser import View, kind_of
from tests.chaos.evidence import Broken, Evidence, Neighbours, Row
from tests.chaos.expected import task_id
from tests.chaos.plan import Model, Plan
from tests.recount import counted

ALPHA, BETA, JUDGE, RUBRIC = "mock-0ms-alpha", "mock-0ms-beta", "mock-0ms-judge", "rubric"
TASKS = 2
PLAN = Plan(
    seed=0,
    tasks=TASKS,
    conversations=False,
    targets=(
        Model(name=ALPHA, concurrency=1, stubborn={1: "mock-0ms-badjson"}),
        Model(name=BETA, concurrency=2),
    ),
    judges=(Model(name=JUDGE, concurrency=1),),
    evaluators="rubric",
    unjudged=None,
    timeout_s=15.0,
    breaks=(),
)
"""The plan of the run. Alpha's answer to the second task is never valid JSON, so that item fails."""
STATUS, PROGRESS = "llmbench.run.status_changed.v1", "llmbench.run.progressed.v1"
ITEM, LOG = "llmbench.run.item_changed.v1", "llmbench.run.logged.v1"


def sound() -> Evidence:
    """Return the evidence of a run without violations. Each call takes a second, one after another. The gateway is
    killed in the third second."""
    items = [_item(target, task) for target in (ALPHA, BETA) for task in range(TASKS)]
    answered = [item for item in items if item["call_id"]]
    scores = [_score(item) for item in answered]
    calls = [_call(item["call_id"] or f"failed-{item['id']}", "item", item) for item in items]
    calls += [_call(f"judging-{item['id']}", "score", item) for item in answered]
    to_count = {
        "items": [_to_count(item) for item in items],
        "scores": [_score_to_count(score) for score in scores],
        "calls": [
            {"target_id": item["label"], "started": float(at), "finished": at + 1.0} for at, item in enumerate(answered)
        ],
        "evaluators": [{"revision_id": RUBRIC, "slot": "rubric", "weight": 1.0}],
    }
    events = _events(items)
    return Evidence(
        run={
            "status": "FINISHED",
            "outcome": "partial",
            "item_count": len(items),
            "judged_count": len(answered),
            "failed_count": len(items) - len(answered),
            "skipped_count": 0,
            "open_task_gates": 0,
            "answered_count": len(answered),
            "last_seq": len(events),
        },
        items=items,
        scores=scores,
        evaluators=[{"evaluator_revision_id": RUBRIC, "only": None}],
        calls=calls,
        events=events,
        groups=[_group(name) for name in (ALPHA, BETA, JUDGE)],
        stream=[{"kind": kind_of(event["type"]), "body": dict(event["body"])} for event in events],
        to_count=to_count,
        detail=_detail(counted(to_count)),
        ledger=[_ledger_row(number, call) for number, call in enumerate(calls)],
        view=_view(events),
        broken=[Broken("kill", {"who": "inference-gateway"}, 2.5, 3.0, 1)],
        finished_at=10.0,
        commands=0,
        consumers={"judge": 0, "orchestrator-calls": 0},
        outbox=0,
        neighbours=_neighbours(at=len(calls)),
    )


def _neighbours(at: int) -> Neighbours:
    """Return the evidence about a second organisation, whose run has one item and made one call. `at` is the position
    of this call in the record of all calls."""
    return Neighbours(
        run={"status": "FINISHED", "outcome": "complete", "status_reason": None, "counts": {"items": 1}},
        items=[{"task_id": task_id(0), "status": "COMPLETED"}],
        ledger=[_ledger_row(at, {"id": "theirs", "model": "mock-0ms-theirs"}) | {"key": "theirs"}],
        key="theirs",
        misplaced={},
        shown=[],
    )


def _item(target: str, task: int) -> Row:
    sound_ = (target, task) != (ALPHA, 1)
    id_ = f"{target}-{task}"
    return {
        "id": id_,
        "task_id": task_id(task),
        "label": target,
        "target_id": target,
        "suite_task": None,
        "status": "COMPLETED" if sound_ else "FAILED",
        "failure": None if sound_ else {"kind": "malformed", "message": "no JSON"},
        "call_id": f"call-{id_}" if sound_ else None,
        "attempts": 1,
        "score": 8.0 if sound_ else None,
        "score_normalised": 0.8 if sound_ else None,
        "passed": True if sound_ else None,
        "reason": "Right." if sound_ else None,
        "time_ms": 1000 if sound_ else None,
        "completion_tokens": 7 if sound_ else None,
    }


def _score(item: Row) -> Row:
    return {
        "id": f"score-{item['id']}",
        "item_id": item["id"],
        "evaluator_revision_id": RUBRIC,
        "status": "SCORED",
        "outcome": "scored",
        "error": None,
        "call_ids": [f"judging-{item['id']}"],
    }


def _call(id_: str, purpose: str, item: Row) -> Row:
    kind = "malformed" if id_.startswith("failed") else "answered"
    model = JUDGE if purpose == "score" else item["label"]
    return {"id": id_, "purpose": purpose, "item_id": item["id"], "kind": kind, "model": model}


def _ledger_row(number: int, call: Row) -> Row:
    return {
        "call_id": call["id"],
        "model": call["model"],
        "answered": True,
        "key": None,
        "started_at": float(number),
        "started_monotonic": float(number),
        "finished_at": number + 1.0,
        "finished_monotonic": number + 1.0,
    }


def _to_count(item: Row) -> Row:
    known = {"target_id": item["label"], "category": "sums", "cluster": item["task_id"], "cached": False}
    timings = ("first_token_ms", "first_content_ms", "tokens_per_second")
    unknown = dict.fromkeys((*timings, "prompt_tokens", "reasoning_tokens", "cost_usd"))
    taken = {name: item[name] for name in ("id", "status", "call_id", "time_ms", "completion_tokens")}
    return known | unknown | taken | {"usage_source": "reported", "finish_reason": "stop"}


def _score_to_count(score: Row) -> Row:
    value = {"outcome": "scored", "normalised": 0.8, "passed": True, "cost_usd": None}
    return {"item_id": score["item_id"], "revision_id": RUBRIC, "asks_judge": True, "details": {}} | value


def _detail(wanted: Row) -> Row:
    of_evaluator = wanted["evaluators"][RUBRIC, ""]
    targets = [{"target_id": target} | one for (_, target), one in wanted["evaluators"].items() if target]
    return {
        "totals": wanted["totals"],
        "results": [{"target_id": target} | one for target, one in wanted["results"].items()],
        "categories": [{"category": name} | one for name, one in wanted["categories"].items()],
        "evaluators": [{"revision_id": RUBRIC, "targets": targets} | of_evaluator],
    }


def _group(model: str) -> Row:
    return {"model": model, "status": "CLOSED", "call_in_flight": False, "new_count": 0, "in_flight_count": 0}


def _events(items: list[Row]) -> list[Row]:
    bodies: list[Row] = [{"type": STATUS, "status": "RUNNING"}]
    for item in items:
        bodies.append({"type": ITEM, "item": item})
        if item["call_id"]:
            bodies.append({"type": LOG, "kind": "answer", "item_id": item["id"]})
            bodies.append({"type": LOG, "kind": "verdict", "item_id": item["id"]})
    bodies.append({"type": PROGRESS, "items": len(items), "answered": 3, "judged": 3, "failed": 1, "skipped": 0})
    bodies.append({"type": STATUS, "status": "FINISHED", "outcome": "partial"})
    return [
        {"run_seq": seq, "type": body["type"], "body": body | {"run_seq": seq}} for seq, body in enumerate(bodies, 1)
    ]


def _view(events: list[Row]) -> View:
    view = View()
    for event in events:
        view.take(kind_of(event["type"]), event["body"])
    return view
