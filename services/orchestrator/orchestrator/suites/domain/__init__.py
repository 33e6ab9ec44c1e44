"""Pure functions: the plan of a suite run, and the scores of tasks, categories and suites."""
