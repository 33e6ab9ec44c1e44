"""Define manipulated evidence for tests of the auditor: for each kind of violation, the evidence and the expected
report."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.chaos.evidence import Broken, Evidence, Neighbours, Queue
from tests.chaos.sound import ALPHA, BETA, JUDGE

Doctoring = Callable[[Evidence], Evidence | None]
DOCTORED: list[tuple[str, str, Doctoring]] = []


def doctored(check: str, says: str) -> Callable[[Doctoring], Doctoring]:
    def register(doctoring: Doctoring) -> Doctoring:
        DOCTORED.append((check, says, doctoring))
        return doctoring

    return register


@doctored("items", "is there 0 times")
def an_item_is_lost(evidence: Evidence) -> None:
    del evidence.items[0]


@doctored("items", "is there 2 times")
def an_item_is_there_twice(evidence: Evidence) -> None:
    evidence.items.append(evidence.items[0])


@doctored("items", "is JUDGING (None: None) and not COMPLETED")
def an_item_never_ended(evidence: Evidence) -> None:
    evidence.items[0]["status"] = "JUDGING"


@doctored("items", "is FAILED (timed_out: late) and not COMPLETED")
def an_item_failed_for_nothing(evidence: Evidence) -> None:
    evidence.items[0] |= {"status": "FAILED", "failure": {"kind": "timed_out", "message": "late"}}


@doctored("items", "is FAILED (timed_out) and not FAILED as ['malformed']")
def an_item_failed_for_another_reason(evidence: Evidence) -> None:
    evidence.items[1]["failure"]["kind"] = "timed_out"


@doctored("items", "is COMPLETED (None) and not FAILED as ['malformed']")
def an_item_completed_that_cannot(evidence: Evidence) -> None:
    evidence.items[1] |= {"status": "COMPLETED", "failure": None}


@doctored("items", "the run counts (4, 2, 1, 0, 3)")
def the_run_counted_wrong(evidence: Evidence) -> None:
    evidence.run["judged_count"] -= 1


def _gate(evidence: Evidence, status: str) -> None:
    """Add a gate between tasks for the target of the first item. The gate holds back all items of this target."""
    target_id = evidence.items[0]["target_id"]
    gate = {"target_id": target_id, "label": ALPHA, "task": "gated", "gating_task": "first"}
    evidence.gates.append(gate | {"holds": [None], "status": status})


@doctored("gates", "the gate of 'gated' is open")
def a_gate_was_never_decided(evidence: Evidence) -> None:
    _gate(evidence, "OPEN")


@doctored("gates", "the run counts 1 open gates")
def the_run_counted_a_gate_too_many(evidence: Evidence) -> None:
    evidence.run["open_task_gates"] = 1


@doctored("gates", "was answered, although its gate is FAILED")
def a_failed_gate_did_not_hold(evidence: Evidence) -> None:
    _gate(evidence, "FAILED")


@doctored("gates", "is skipped, although its gate has passed")
def a_passed_gate_skipped_an_item(evidence: Evidence) -> None:
    _gate(evidence, "PASSED")
    evidence.items[0]["status"] = "SKIPPED"


@doctored("decided once", "the decision of the gate of 'gated' for mock-0ms-alpha was told 0 times")
def a_decision_was_not_told(evidence: Evidence) -> None:
    _gate(evidence, "PASSED")


@doctored("decided once", "the run has 1 verdicts, and not 0")
def a_run_without_a_gate_has_a_verdict(evidence: Evidence) -> None:
    evidence.verdicts.append({"verdict": "fine"})


def _queued(evidence: Evidence, **row: object) -> Evidence:
    """Return the evidence with a queue of two runs: another run, and then this run, which starts when the other one
    ends. `row` overrides fields of the other run's row."""
    ahead = {"name": "ahead", "status": "FINISHED", "outcome": "complete", "started_at": 0.0, "finished_at": 0.5}
    rows = [ahead | row, ahead | {"name": "seed 0", "started_at": 0.5, "finished_at": 10.0}]
    queue = Queue(runs=["ahead", "seed 0"], schedule_id="nightly", rows=rows, scheduled=["seed 0"])
    queue.firings.append({"status": "STARTED", "run_id": "seed 0"})
    return replace(evidence, queue=queue)


@doctored("queue", "'ahead' is FINISHED, partial")
def a_run_in_the_queue_lost_an_answer(evidence: Evidence) -> Evidence:
    return _queued(evidence, outcome="partial")


@doctored("queue", "'seed 0' started before the end of 'ahead'")
def two_runs_were_active(evidence: Evidence) -> Evidence:
    return _queued(evidence, finished_at=0.6)


@doctored("queue", "'seed 0' started 40.5 s after the end of 'ahead'")
def the_queue_stood_still(evidence: Evidence) -> Evidence:
    return _queued(evidence, finished_at=-40.0)


@doctored("schedule", "the schedule was due once, and its firings are []")
def a_firing_is_lost(evidence: Evidence) -> Evidence:
    queued = _queued(evidence)
    assert queued.queue is not None
    queued.queue.firings.clear()
    return queued


@doctored("schedule", "the schedule has started 2 runs")
def a_schedule_started_two_runs(evidence: Evidence) -> Evidence:
    queued = _queued(evidence)
    assert queued.queue is not None
    queued.queue.scheduled.append("seed 0 again")
    return queued


@doctored("answers", "paid for were []")
def an_answer_that_nobody_paid_for(evidence: Evidence) -> None:
    evidence.calls[0]["kind"] = "timed_out"


@doctored("answers", "has the answer of None, and paid for were")
def a_paid_answer_is_lost(evidence: Evidence) -> None:
    evidence.items[0]["call_id"] = None


@doctored("answers", "and paid for were ['call-mock-0ms-alpha-0', 'again']")
def an_answer_was_bought_twice(evidence: Evidence) -> None:
    evidence.calls.append(evidence.calls[0] | {"id": "again"})


@doctored("answers", "has 2 attempts and 1 calls")
def an_attempt_without_a_call(evidence: Evidence) -> None:
    evidence.items[0]["attempts"] = 2


@doctored("scores", "has 0 scores of revision rubric")
def a_score_is_lost(evidence: Evidence) -> None:
    del evidence.scores[0]


@doctored("scores", "has 2 scores of revision rubric")
def a_score_is_there_twice(evidence: Evidence) -> None:
    evidence.scores.append(evidence.scores[0])


@doctored("scores", "which has no answer")
def a_score_without_an_answer(evidence: Evidence) -> None:
    evidence.scores.append(evidence.scores[0] | {"id": "ghost", "item_id": evidence.items[1]["id"]})


@doctored("scores", "ended as IN_PROGRESS")
def a_score_never_ended(evidence: Evidence) -> None:
    evidence.scores[0]["status"] = "IN_PROGRESS"


@doctored("scores", "names calls that nobody paid for")
def a_score_out_of_nothing(evidence: Evidence) -> None:
    evidence.scores[0]["call_ids"] = ["never made"]


@doctored("figures", "totals: completed is 4, recounted 3")
def a_total_drifted(evidence: Evidence) -> None:
    evidence.detail["totals"] = evidence.detail["totals"] | {"completed": 4}


@doctored("figures", "mean_score is 0.81")
def a_mean_drifted(evidence: Evidence) -> None:
    evidence.detail["evaluators"][0]["targets"][0]["mean_score"] = 0.81


@doctored("figures", "results are of")
def a_target_has_no_figures(evidence: Evidence) -> None:
    del evidence.detail["results"][0]


@doctored("paid once", "was answered in full twice")
def a_call_was_answered_twice(evidence: Evidence) -> None:
    evidence.ledger.append(repeated_call(evidence, 0, at=20.0))
    evidence.broken.clear()


@doctored("paid once", "was answered in full twice")
def more_were_repeated_than_a_kill_can_hit(evidence: Evidence) -> None:
    evidence.ledger.extend(repeated_call(evidence, number, at=20.0 + number) for number in range(3))


@doctored("paid once", "was answered in full twice")
def a_call_was_repeated_before_the_kill(evidence: Evidence) -> Evidence:
    evidence.ledger.append(repeated_call(evidence, 0, at=20.0))
    return replace(evidence, broken=[Broken("kill", {"who": "inference-gateway"}, 40.0, 42.0, 1)])


@doctored("paid once", "was answered in full twice")
def a_call_was_repeated_after_a_kill_that_loses_nothing(evidence: Evidence) -> Evidence:
    evidence.ledger.append(repeated_call(evidence, 0, at=20.0))
    return replace(evidence, broken=[Broken("kill", {"who": "judge"}, 2.5, 3.0, 0)])


@doctored("concurrency", "had 2 calls at once, not 1")
def two_calls_of_one_group_at_once(evidence: Evidence) -> None:
    evidence.ledger[1] |= {"started_monotonic": 0.5}


@doctored("concurrency", f"{ALPHA} and {BETA} were called at the same time")
def two_groups_at_once(evidence: Evidence) -> None:
    evidence.ledger[2] |= {"started_monotonic": 1.5}


@doctored("concurrency", "were called at the same time")
def a_call_that_never_ended(evidence: Evidence) -> None:
    evidence.ledger[1]["finished_monotonic"] = None


@doctored("phases", "3 calls of targets ended after the first call of a judge had begun")
def judging_began_too_early(evidence: Evidence) -> None:
    evidence.ledger[0] |= {"model": JUDGE}


@doctored("events", "the events are numbered")
def an_event_is_lost(evidence: Evidence) -> None:
    del evidence.events[3]


@doctored("events", "the run ended 2 times")
def the_run_ended_twice(evidence: Evidence) -> None:
    evidence.events[0]["body"] |= {"status": "FINISHED"}


@doctored("events", "was told 2 times")
def an_answer_was_told_twice(evidence: Evidence) -> None:
    evidence.events[3]["body"]["kind"] = "answer"


@doctored("events", "has 1 scores, and 0 verdicts were told")
def a_verdict_was_not_told(evidence: Evidence) -> None:
    evidence.events[3]["body"]["kind"] = "note"


@doctored("stream", "missing are [3], their order is 4 after 2")
def the_broker_lacks_an_event(evidence: Evidence) -> None:
    del evidence.stream[2]


@doctored("stream", "their order is 1 after 1")
def the_broker_has_an_event_twice(evidence: Evidence) -> None:
    evidence.stream.insert(0, evidence.stream[0])


@doctored("stream", "missing are [3]")
def the_broker_lacks_an_event_after_it_forgot(evidence: Evidence) -> Evidence:
    del evidence.stream[2]
    return replace(evidence, broken=[Broken("purge the streams", {}, 2.5, 3.0, 0, forgets=True)])


@doctored("stream", "event 2 on item is not that of the database")
def the_broker_tells_another_story(evidence: Evidence) -> None:
    evidence.stream[1]["body"]["item"] = {}


@doctored("browser", "of 4 events of item it has 3; missing are [2]")
def a_browser_missed_an_event(evidence: Evidence) -> None:
    evidence.view.seqs["item"].remove(2)


@doctored("browser", "it shows another score, passed")
def a_browser_shows_an_old_score(evidence: Evidence) -> None:
    evidence.view.items[evidence.items[0]["id"]] = evidence.items[0] | {"score": None, "passed": None}


@doctored("browser", "it shows RUNNING None, the run is FINISHED")
def a_browser_thinks_it_still_runs(evidence: Evidence) -> None:
    evidence.view.status = {"status": "RUNNING"}


@doctored("browser", "its counts are (4, 3, 2, 1, 0), the run's (4, 3, 3, 1, 0)")
def a_browser_counts_less(evidence: Evidence) -> None:
    evidence.view.progress |= {"judged": 2}


@doctored("browser", "it shows 3 items of 4")
def a_browser_lacks_an_item(evidence: Evidence) -> None:
    del evidence.view.items[evidence.items[0]["id"]]


@doctored("clean", "2 commands lie in the stream")
def commands_are_left(evidence: Evidence) -> Evidence:
    return replace(evidence, commands=2)


@doctored("clean", "the consumer infer-x is left")
def a_lane_is_left(evidence: Evidence) -> None:
    evidence.consumers["infer-x"] = 1


@doctored("clean", "3 wait in orchestrator-calls")
def a_report_is_stuck(evidence: Evidence) -> None:
    evidence.consumers["orchestrator-calls"] = 3


@doctored("clean", "1 messages were never published")
def an_event_was_never_published(evidence: Evidence) -> Evidence:
    return replace(evidence, outbox=1)


@doctored("clean", "is RELEASING")
def a_group_never_closed(evidence: Evidence) -> None:
    evidence.groups[0]["status"] = "RELEASING"


@doctored("clean", "counts 0 new, 1 in flight")
def a_group_thinks_that_work_is_under_way(evidence: Evidence) -> None:
    evidence.groups[0]["in_flight_count"] = 1


def neighbours(evidence: Evidence) -> Neighbours:
    assert evidence.neighbours is not None
    return evidence.neighbours


@doctored("neighbours", "the neighbour's run is PAUSED, None: the provider's machine is busy")
def the_neighbour_never_got_its_turn(evidence: Evidence) -> None:
    reason = {"status": "PAUSED", "outcome": None, "status_reason": "the provider's machine is busy"}
    neighbours(evidence).run.update(reason)


@doctored("neighbours", "the neighbour's items ['sum-000'] of 1 are not completed")
def an_item_of_the_neighbour_failed(evidence: Evidence) -> None:
    neighbours(evidence).items[0]["status"] = "FAILED"


@doctored("neighbours", "2 rows of item belong to the other organisation")
def rows_went_to_the_other_organisation(evidence: Evidence) -> None:
    neighbours(evidence).misplaced["item"] = 2


@doctored("neighbours", "the list of runs has it")
def an_organisation_was_shown_the_others_run(evidence: Evidence) -> None:
    neighbours(evidence).shown.append("the list of runs has it")


@doctored("own keys", "the neighbour's calls of mock-0ms-theirs had another organisation's key")
def the_neighbour_was_answered_without_its_key(evidence: Evidence) -> None:
    neighbours(evidence).ledger[0]["key"] = None


@doctored("own keys", "the run's calls of mock-0ms-alpha had another organisation's key")
def the_run_used_the_neighbours_key(evidence: Evidence) -> None:
    evidence.ledger[0]["key"] = neighbours(evidence).key


@doctored("one machine", "mock-0ms-alpha and the neighbour's mock-0ms-theirs were called at the same time")
def both_organisations_called_the_machine(evidence: Evidence) -> None:
    neighbours(evidence).ledger[0] |= {"started_monotonic": 0.5, "finished_monotonic": None}


@doctored("ending", "did not end")
def the_run_never_ended(evidence: Evidence) -> Evidence:
    return replace(evidence, finished_at=None)


@doctored("ending", "ended 97.0 s after the last fault")
def the_run_ended_late(evidence: Evidence) -> Evidence:
    return replace(evidence, finished_at=100.0)


def repeated_call(evidence: Evidence, number: int, *, at: float) -> dict[str, Any]:
    times = {"started_at": at, "started_monotonic": at, "finished_at": at + 1, "finished_monotonic": at + 1}
    return evidence.ledger[number] | times
