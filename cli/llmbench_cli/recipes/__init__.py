"""Recipes, which make suites from files of published benchmarks that the user has downloaded."""
