"""Pure functions and values: due times, and the decision what a schedule does."""
