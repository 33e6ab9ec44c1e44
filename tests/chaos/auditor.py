"""Compares what a run left behind in the database, in the event stream, on the broker and at the provider: pure.

Each check takes the evidence and the plan and yields violations, a sentence each.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from tests.chaos.browser import kind_of
from tests.chaos.evidence import Evidence, Row
from tests.chaos.expected import COMPLETED, UNJUDGED, endings
from tests.chaos.plan import Plan
from tests.recount import counted

Check = Callable[[Evidence, Plan], Iterator[str]]
CHECKS: dict[str, Check] = {}
ENDS_WITHIN_S = 30.0
_CLOCK_S = 1.0
"""The provider's clock and ours are one machine's, but what it sent is on its way for a moment."""
_SHOWN = ("status", "attempts", "score", "score_normalised", "passed", "reason", "time_ms", "completion_tokens")


def audit(evidence: Evidence, plan: Plan, *, ends_within_s: float = ENDS_WITHIN_S) -> list[str]:
    """Violations, each beginning with the name of its check."""
    found = [f"{name}: {said}" for name, check in CHECKS.items() for said in check(evidence, plan)]
    return found + [f"ending: {said}" for said in ending(evidence, ends_within_s)]


def check(test: Check) -> Check:
    CHECKS[test.__name__.replace("_", " ")] = test
    return test


@check
def items(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Every item exactly once in the end state it should have."""
    wanted = endings(plan)
    found = Counter((item["task_id"], item["label"]) for item in evidence.items)
    for key in wanted.keys() | found.keys():
        if found[key] != (key in wanted):
            yield f"{key} is there {found[key]} times"
    for item in evidence.items:
        ending_ = wanted.get((item["task_id"], item["label"]), COMPLETED)
        failure = (item["failure"] or {}).get("kind")
        if ending_ == COMPLETED:
            if item["status"] != "COMPLETED":
                yield f"{_name(item)} is {item['status']} ({failure}: {_message(item)}) and not COMPLETED"
        elif item["status"] != "FAILED" or failure not in ending_.failure:
            yield f"{_name(item)} is {item['status']} ({failure}) and not FAILED as {sorted(ending_.failure)}"
    counts = Counter(item["status"] for item in evidence.items)
    run = evidence.run
    kept = (run["item_count"], run["judged_count"], run["failed_count"], run["answered_count"])
    answered = sum(item["call_id"] is not None for item in evidence.items)
    if kept != (len(evidence.items), counts["COMPLETED"], counts["FAILED"], answered):
        yield f"the run counts {kept}, its items are {dict(counts)} with {answered} answers"


@check
def answers(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """An item has the one answer that was paid for, and no more attempts than calls."""
    calls: dict[str, list[Row]] = defaultdict(list)
    for call in evidence.calls:
        if call["purpose"] == "item":
            calls[call["item_id"]].append(call)
    for item in evidence.items:
        given = [call["id"] for call in calls[item["id"]] if call["kind"] == "answered"]
        if given != ([item["call_id"]] if item["call_id"] else []):
            yield f"{_name(item)} has the answer of {item['call_id']}, and paid for were {given}"
        if item["attempts"] > len(calls[item["id"]]):
            yield f"{_name(item)} has {item['attempts']} attempts and {len(calls[item['id']])} calls"


@check
def scores(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Every answer has one score of each evaluator, which has ended; and there is no score without an answer."""
    answered = {item["id"]: item for item in evidence.items if item["call_id"]}
    revisions = [one["evaluator_revision_id"] for one in evidence.evaluators]
    found = Counter((score["item_id"], score["evaluator_revision_id"]) for score in evidence.scores)
    for key in {(item, revision) for item in answered for revision in revisions} | found.keys():
        if key[0] not in answered:
            yield f"there is a score of item {key[0]}, which has no answer"
        elif found[key] != 1 or key[1] not in revisions:
            yield f"{_name(answered[key[0]])} has {found[key]} scores of revision {key[1]}"
    paid = {call["id"] for call in evidence.calls if call["purpose"] == "score"}
    wanted = endings(plan)
    unjudged = {item["id"] for item in evidence.items if wanted.get((item["task_id"], item["label"])) == UNJUDGED}
    for score in evidence.scores:
        if score["status"] != "SCORED" and not (score["item_id"] in unjudged and score["outcome"] == "unparsed"):
            yield f"score {score['id']} ended as {score['status']}, {score['outcome']}: {score['error']}"
        if not set(score["call_ids"]) <= paid:
            yield f"score {score['id']} names calls that nobody paid for"


@check
def figures(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """What the API says is what a recount says."""
    wanted, detail = counted(evidence.to_count), evidence.detail
    yield from _differences("totals", detail["totals"], wanted["totals"])
    by_target = {one["target_id"]: one for one in detail["results"]}
    by_category = {one["category"]: one for one in detail["categories"]}
    by_evaluator = {(one["revision_id"], ""): one for one in detail["evaluators"] if one["asked"]} | {
        (one["revision_id"], target["target_id"]): target for one in detail["evaluators"] for target in one["targets"]
    }
    for name, found in (("results", by_target), ("categories", by_category), ("evaluators", by_evaluator)):
        if found.keys() != wanted[name].keys():
            yield f"{name} are of {sorted(map(str, found))}, recounted of {sorted(map(str, wanted[name]))}"
            continue
        for key, one in found.items():
            yield from _differences(f"{name} {key}", one, wanted[name][key])


@check
def paid_once(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """No call was answered in full twice, but those under way when what would have stored them was lost."""
    times: dict[str, list[Row]] = defaultdict(list)
    for call in evidence.ledger:
        if call["answered"] and call["call_id"]:
            times[call["call_id"]].append(call)
    allowed = [one.loses * most_at_once(plan) for one in evidence.broken]
    for call_id, answered in times.items():
        for first, again in pairwise(sorted(answered, key=lambda call: float(call["started_at"]))):
            excuse = next((n for n, left in enumerate(allowed) if left and _between(first, evidence, n, again)), None)
            if excuse is None:
                yield f"call {call_id} of {first['model']} was answered in full twice, and nothing was lost in between"
            else:
                allowed[excuse] -= 1


def paid_again(evidence: Evidence) -> int:
    """How many calls were answered in full once more than needed."""
    answered = Counter(call["call_id"] for call in evidence.ledger if call["answered"] and call["call_id"])
    return sum(answered.values()) - len(answered)


def most_at_once(plan: Plan) -> int:
    """A kill can hit all the calls that the group under way has at once."""
    return max(model.concurrency for model in plan.models().values())


def _between(first: Row, evidence: Evidence, number: int, again: Row) -> bool:
    one = evidence.broken[number]
    return bool(first["finished_at"] <= one.ended_at + _CLOCK_S and again["started_at"] >= one.began_at - _CLOCK_S)


@check
def concurrency(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Never more calls of a group at once than it allows, and never two groups at once."""
    models = plan.models()
    moments = sorted(
        moment
        for call in evidence.ledger
        for moment in (
            (call["started_monotonic"], 1, call["model"]),
            (call["finished_monotonic"] or math.inf, 0, call["model"]),
        )
    )
    open_: Counter[str] = Counter()
    told: set[object] = set()
    for at, begins, model in moments:
        open_[model] += 1 if begins else -1
        if open_[model] > models[model].concurrency and model not in told:
            told.add(model)
            yield f"{model} had {open_[model]} calls at once, not {models[model].concurrency} (at {at:.3f})"
        together = tuple(sorted(name for name, count in open_.items() if count))
        if len(together) > 1 and together not in told:
            told.add(together)
            yield f"{' and '.join(together)} were called at the same time (at {at:.3f})"


@check
def phases(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """No judging before the end of benchmarking."""
    judges = {model.name for model in plan.judges}
    asked = [call for call in evidence.ledger if call["model"] not in judges]
    judged = [call["started_monotonic"] for call in evidence.ledger if call["model"] in judges]
    if not judged:
        return
    late = [call for call in asked if (call["finished_monotonic"] or math.inf) > min(judged)]
    if late:
        yield f"{len(late)} calls of targets ended after the first call of a judge had begun"


@check
def events(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Numbered without gaps, the end comes last, and each answer and verdict is told once."""
    found = [event["run_seq"] for event in evidence.events]
    if found != list(range(1, evidence.run["last_seq"] + 1)):
        yield f"the events are numbered {found[:3]}…{found[-3:]}, and {evidence.run['last_seq']} were given"
    bodies = [event["body"] for event in evidence.events]
    ends = [body for body in bodies if kind_of(body["type"]) == "status" and body["status"] == "FINISHED"]
    if len(ends) != 1:
        yield f"the run ended {len(ends)} times"
    told = Counter((body.get("kind"), body.get("item_id")) for body in bodies if kind_of(body["type"]) == "log")
    for item in evidence.items:
        if told["answer", item["id"]] != bool(item["call_id"]):
            yield f"the answer of {_name(item)} was told {told['answer', item['id']]} times"
        scored = sum(score["item_id"] == item["id"] and score["status"] == "SCORED" for score in evidence.scores)
        if told["verdict", item["id"]] != scored:
            yield f"{_name(item)} has {scored} scores, and {told['verdict', item['id']]} verdicts were told"


@check
def browser(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """What a browser put together from events is what the database says."""
    view = evidence.view
    for kind in ("status", "item", "log"):
        wanted = [event["run_seq"] for event in evidence.events if kind_of(event["type"]) == kind]
        if view.seqs[kind] != wanted:
            missing = sorted(set(wanted) - set(view.seqs[kind]))
            yield f"of {len(wanted)} events of {kind} it has {len(view.seqs[kind])}; missing are {missing[:5]}"
    if view.status.get("status") != evidence.run["status"] or view.status.get("outcome") != evidence.run["outcome"]:
        yield f"it shows {view.status.get('status')} {view.status.get('outcome')}, the run is {evidence.run['status']}"
    counts = tuple(view.progress.get(name) for name in ("items", "answered", "judged", "failed"))
    kept = tuple(evidence.run[f"{name}_count"] for name in ("item", "answered", "judged", "failed"))
    if counts != kept:
        yield f"its counts are {counts}, the run's {kept}"
    if view.items.keys() != {item["id"] for item in evidence.items}:
        yield f"it shows {len(view.items)} items of {len(evidence.items)}"
    for item in evidence.items:
        shown = view.items.get(item["id"], {})
        other = [name for name in _SHOWN if not _same(_cut(shown.get(name)), _cut(item[name]))]
        if shown and other:
            yield f"of {_name(item)} it shows another {', '.join(other)}"


@check
def clean(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """No message is stuck, no lane is left, and everything was published."""
    if evidence.commands:
        yield f"{evidence.commands} commands lie in the stream"
    for name, pending in evidence.consumers.items():
        if pending:
            yield f"the consumer {name} is left" if name.startswith("infer-") else f"{pending} wait in {name}"
    if evidence.outbox:
        yield f"{evidence.outbox} messages were never published"
    busy = [
        group for group in evidence.groups if group["call_in_flight"] or group["status"] not in ("CLOSED", "FAILED")
    ]
    for group in busy:
        yield f"the group of {group['model']} is {group['status']}"
    for group in evidence.groups:
        if group["new_count"] or group["in_flight_count"]:
            yield f"the group of {group['model']} counts {group['new_count']} new, {group['in_flight_count']} in flight"


def ending(evidence: Evidence, within_s: float) -> Iterator[str]:
    """The run ends by itself soon after the last fault."""
    took = took_after_last_fault(evidence)
    if took is None:
        yield f"the run is {evidence.run['status']}, and did not end"
    elif took > within_s:
        yield f"the run ended {took:.1f} s after the last fault"


def took_after_last_fault(evidence: Evidence) -> float | None:
    """Seconds; None where the run did not end."""
    if evidence.finished_at is None:
        return None
    faulty = [call["finished_at"] or math.inf for call in evidence.ledger if not call["answered"]]
    last = max([one.ended_at for one in evidence.broken] + faulty, default=0.0)
    return max(0.0, evidence.finished_at - last)


def _differences(what: str, found: Row, wanted: Row) -> Iterator[str]:
    for name, value in wanted.items():
        if not _same(found[name], value):
            yield f"{what}: {name} is {found[name]}, recounted {value}"


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict) and isinstance(found, dict):
        return found.keys() == wanted.keys() and all(_same(found[name], wanted[name]) for name in wanted)
    if isinstance(found, int | float) and isinstance(wanted, int | float):
        return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(found == wanted)


def _cut(value: Any) -> Any:
    return value[:500] if isinstance(value, str) else value


def _name(item: Row) -> str:
    return f"{item['task_id']} of {item['label']}"


def _message(item: Row) -> str:
    return str((item["failure"] or {}).get("message"))[:200]
