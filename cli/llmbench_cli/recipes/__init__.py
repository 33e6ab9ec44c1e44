"""Recipes that make suites from the files of published benchmarks, which the user has."""
