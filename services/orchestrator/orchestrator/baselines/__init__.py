"""Compare each run of a subject with its baselines when it ends: baselines, their gates, and the verdicts."""
