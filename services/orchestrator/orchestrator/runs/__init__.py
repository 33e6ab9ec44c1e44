"""The engine: create a run, lead it to its end, retry what failed, and remove it."""
