"""Read runs: their items, figures, failures, ranking and exports."""
