"""Read the results of runs, such as items, statistics and failures, and export them."""
