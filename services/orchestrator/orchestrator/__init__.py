"""Runs, groups, items and scores: the state machines, the schedule, the results."""
