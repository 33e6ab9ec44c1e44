"""Read runs: their items, statistics, failures, order statistics and exports."""
