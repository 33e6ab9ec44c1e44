"""The engine of runs: create a run, lead it to its end, retry its failures, and remove it."""
