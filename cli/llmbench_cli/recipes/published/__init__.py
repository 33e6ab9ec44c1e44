"""The recipes: one module for each benchmark, which defines a `RECIPE`."""
