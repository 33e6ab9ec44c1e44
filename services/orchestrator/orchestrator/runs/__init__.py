"""The engine of runs: create a run, lead it until it is finished, retry its failures, and remove it."""
