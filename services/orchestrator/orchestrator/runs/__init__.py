"""Create, execute, retry and delete runs. Reading the results of runs is in `orchestrator.results`."""
