"""The scenarios, one file each; see benchmarks.scenario."""
