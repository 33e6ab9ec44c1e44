"""Check the database: items, answers, scores, and the statistics that the API computes from them."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from tests.chaos.checks import check, name_of, same
from tests.chaos.evidence import Evidence, Row
from tests.chaos.expected import COMPLETED, UNJUDGED, endings
from tests.chaos.plan import Plan
from tests.recount import applies, counted


@check
def items(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that every item exists exactly once and has the final state that the plan implies, and that the run's
    counts agree with the items.
    """
    wanted = endings(plan)
    found = Counter((item["task_id"], item["label"]) for item in evidence.items)
    for key in wanted.keys() | found.keys():
        if found[key] != (key in wanted):
            yield f"{key} is there {found[key]} times"
    for item in evidence.items:
        ending_ = wanted.get((item["task_id"], item["label"]), COMPLETED)
        failure = (item["failure"] or {}).get("kind")
        if not ending_.failure:
            if item["status"] != ending_.status:
                yield f"{name_of(item)} is {item['status']} ({failure}: {_message(item)}) and not {ending_.status}"
        elif item["status"] != "FAILED" or failure not in ending_.failure:
            yield f"{name_of(item)} is {item['status']} ({failure}) and not FAILED as {sorted(ending_.failure)}"
    counts = Counter(item["status"] for item in evidence.items)
    run = evidence.run
    kept = tuple(run[f"{name}_count"] for name in ("item", "judged", "failed", "skipped", "answered"))
    answered = sum(item["call_id"] is not None for item in evidence.items)
    if kept != (len(evidence.items), counts["COMPLETED"], counts["FAILED"], counts["SKIPPED"], answered):
        yield f"the run counts {kept}, its items are {dict(counts)} with {answered} answers"


@check
def answers(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that each item refers to its only answered call, and that the item has no more attempts than calls."""
    calls: dict[str, list[Row]] = defaultdict(list)
    for call in evidence.calls:
        if call["purpose"] == "item":
            calls[call["item_id"]].append(call)
    for item in evidence.items:
        given = [call["id"] for call in calls[item["id"]] if call["kind"] == "answered"]
        if given != ([item["call_id"]] if item["call_id"] else []):
            yield f"{name_of(item)} has the answer of {item['call_id']}, and paid for were {given}"
        if item["attempts"] > len(calls[item["id"]]):
            yield f"{name_of(item)} has {item['attempts']} attempts and {len(calls[item['id']])} calls"


@check
def scores(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that each answer has one final score per evaluator, and that no score exists without an answer."""
    answered = {item["id"]: item for item in evidence.items if item["call_id"]}
    asked = {
        (item["id"], evaluator["evaluator_revision_id"])
        for item in answered.values()
        for evaluator in evidence.evaluators
        if applies(evaluator["only"], item["suite_task"])
    }
    found = Counter((score["item_id"], score["evaluator_revision_id"]) for score in evidence.scores)
    for key in asked | found.keys():
        if key[0] not in answered:
            yield f"there is a score of item {key[0]}, which has no answer"
        elif found[key] != 1 or key not in asked:
            yield f"{name_of(answered[key[0]])} has {found[key]} scores of revision {key[1]}"
    paid = {call["id"] for call in evidence.calls if call["purpose"] == "score"}
    wanted = endings(plan)
    unjudged = {item["id"] for item in evidence.items if wanted.get((item["task_id"], item["label"])) == UNJUDGED}
    for score in evidence.scores:
        if score["status"] != "SCORED" and not (score["item_id"] in unjudged and score["outcome"] == "unparsed"):
            yield f"score {score['id']} ended as {score['status']}, {score['outcome']}: {score['error']}"
        if not set(score["call_ids"]) <= paid:
            yield f"score {score['id']} names calls that nobody paid for"


@check
def gates(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that every gate between tasks is decided, and that no item behind a gate was answered unless the gate
    passed."""
    if evidence.run["open_task_gates"]:
        yield f"the run counts {evidence.run['open_task_gates']} open gates"
    for gate in evidence.gates:
        held = [
            item
            for item in evidence.items
            if item["target_id"] == gate["target_id"] and item["suite_task"] in gate["holds"]
        ]
        if gate["status"] == "OPEN":
            yield f"the gate of '{gate['task']}' is open"
        for item in held:
            if item["call_id"] and gate["status"] != "PASSED":
                yield f"{name_of(item)} was answered, although its gate is {gate['status']}"
            if item["status"] == "SKIPPED" and gate["status"] == "PASSED":
                yield f"{name_of(item)} is skipped, although its gate has passed"


@check
def decided_once(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that the log has the decision of each gate between tasks exactly once. If the suite has a baseline, check
    that the gate of this baseline has one verdict."""
    texts = [event["body"]["text"] for event in evidence.events if "text" in event["body"]]
    for gate in evidence.gates:
        opening = f"{gate['label']}: '{gate['gating_task']}' "
        told = sum(text.startswith(opening) and f"'{gate['task']}'" in text for text in texts)
        if told != 1:
            yield f"the decision of the gate of '{gate['task']}' for {gate['label']} was told {told} times"
    wanted = plan.suite is not None and plan.suite.baseline
    if len(evidence.verdicts) != wanted:
        yield f"the run has {len(evidence.verdicts)} verdicts, and not {int(wanted)}"


@check
def figures(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that the statistics in the API's response equal a recount of the rows."""
    wanted, detail = counted(evidence.to_count), evidence.detail
    yield from _differences("totals", detail["totals"], wanted["totals"])
    by_target = {result["target_id"]: result for result in detail["results"]}
    by_category = {category["category"]: category for category in detail["categories"]}
    by_evaluator = {
        (evaluator["revision_id"], ""): evaluator for evaluator in detail["evaluators"] if evaluator["asked"]
    } | {
        (evaluator["revision_id"], target["target_id"]): target
        for evaluator in detail["evaluators"]
        for target in evaluator["targets"]
    }
    for name, found in (("results", by_target), ("categories", by_category), ("evaluators", by_evaluator)):
        if found.keys() != wanted[name].keys():
            yield f"{name} are of {sorted(map(str, found))}, recounted of {sorted(map(str, wanted[name]))}"
            continue
        for key, one in found.items():
            yield from _differences(f"{name} {key}", one, wanted[name][key])


def _differences(what: str, found: Row, wanted: Row) -> Iterator[str]:
    for name, value in wanted.items():
        if not same(found[name], value):
            yield f"{what}: {name} is {found[name]}, recounted {value}"


def _message(item: Row) -> str:
    return str((item["failure"] or {}).get("message"))[:200]
