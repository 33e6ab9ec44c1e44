"""Read runs: items, figures, failures, ranking and exports."""
