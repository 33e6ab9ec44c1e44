"""Read runs: their items, statistics, failures, ranking and exports."""
