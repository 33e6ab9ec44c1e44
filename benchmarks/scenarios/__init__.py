"""One file each; see benchmarks.scenario."""
