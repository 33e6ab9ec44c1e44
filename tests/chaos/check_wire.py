"""Check messages: the stored events, the events on the broker, the browser's view, and messages that remain on the
broker."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.chaos.browser import kind_of
from tests.chaos.checks import check, name_of, same
from tests.chaos.evidence import Evidence
from tests.chaos.plan import Plan

_SHOWN = ("status", "attempts", "score", "score_normalised", "passed", "reason", "time_ms", "completion_tokens")


@check
def events(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that event numbers have no gap, that the run ends once, and that each answer and verdict is logged once."""
    found = [event["run_seq"] for event in evidence.events]
    if found != list(range(1, evidence.run["last_seq"] + 1)):
        yield f"the events are numbered {found[:3]}…{found[-3:]}, and {evidence.run['last_seq']} were given"
    bodies = [event["body"] for event in evidence.events]
    finished = [body for body in bodies if kind_of(body["type"]) == "status" and body["status"] == "FINISHED"]
    # The run of a suite ends with its gates due. A further event says that they are decided.
    ends = [body for body in finished if (body.get("gate") or {}).get("verdict") != "pending"]
    if len(ends) != 1:
        yield f"the run ended {len(ends)} times"
    told = Counter((body.get("kind"), body.get("item_id")) for body in bodies if kind_of(body["type"]) == "log")
    for item in evidence.items:
        if told["answer", item["id"]] != bool(item["call_id"]):
            yield f"the answer of {name_of(item)} was told {told['answer', item['id']]} times"
        scored = sum(score["item_id"] == item["id"] and score["status"] == "SCORED" for score in evidence.scores)
        if told["verdict", item["id"]] != scored:
            yield f"{name_of(item)} has {scored} scores, and {told['verdict', item['id']]} verdicts were told"


@check
def stream(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that the broker's stream holds the same events as the database, each once and in order.

    The stream ends with the run's last event. It begins with the first, unless a fault made the broker forget messages.
    """
    stored = {event["run_seq"]: event for event in evidence.events}
    found = [event["body"]["run_seq"] for event in evidence.stream]
    last = evidence.run["last_seq"]
    forgot = any(fault.forgets for fault in evidence.broken)
    first = (found[0] if found else last + 1) if forgot else 1
    if found != list(range(first, last + 1)):
        missing = sorted(set(range(first, last + 1)) - set(found))
        yield f"{len(found)} events lie there, of {last}; missing are {missing[:5]}, their order is {_disorder(found)}"
    for event in evidence.stream:
        told = stored.get(event["body"]["run_seq"])
        if told is None or told["body"] != event["body"] or kind_of(told["type"]) != event["kind"]:
            yield f"event {event['body']['run_seq']} on {event['kind']} is not that of the database"


def _disorder(found: list[int]) -> str:
    wrong = [(one, following) for one, following in pairwise(found) if following != one + 1]
    return ", ".join(f"{following} after {one}" for one, following in wrong[:5]) or "right"


@check
def browser(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that the view which the browser assembled from events equals the database."""
    view = evidence.view
    for kind in ("status", "item", "log"):
        wanted = [event["run_seq"] for event in evidence.events if kind_of(event["type"]) == kind]
        if view.seqs[kind] != wanted:
            missing = sorted(set(wanted) - set(view.seqs[kind]))
            yield f"of {len(wanted)} events of {kind} it has {len(view.seqs[kind])}; missing are {missing[:5]}"
    if view.status.get("status") != evidence.run["status"] or view.status.get("outcome") != evidence.run["outcome"]:
        yield f"it shows {view.status.get('status')} {view.status.get('outcome')}, the run is {evidence.run['status']}"
    counts = tuple(view.progress.get(name) for name in ("items", "answered", "judged", "failed", "skipped"))
    kept = tuple(evidence.run[f"{name}_count"] for name in ("item", "answered", "judged", "failed", "skipped"))
    if counts != kept:
        yield f"its counts are {counts}, the run's {kept}"
    if view.items.keys() != {item["id"] for item in evidence.items}:
        yield f"it shows {len(view.items)} items of {len(evidence.items)}"
    for item in evidence.items:
        shown = view.items.get(item["id"], {})
        other = [name for name in _SHOWN if not same(_cut(shown.get(name)), _cut(item[name]))]
        if shown and other:
            yield f"of {name_of(item)} it shows another {', '.join(other)}"


@check
def clean(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that no message waits on the broker, that no consumer of a model group remains, and that the outboxes are
    empty."""
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


def _cut(value: Any) -> Any:
    return value[:500] if isinstance(value, str) else value
