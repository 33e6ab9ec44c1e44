"""Run Python code that models write, in a confined process for each answer."""
