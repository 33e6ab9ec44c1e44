"""The orchestrator: create and execute runs, and serve their results."""
