"""Suites: start runs of published suites, show their plan, and combine the scores of their tasks."""
