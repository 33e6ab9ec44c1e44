"""Compare two columns of answers to the same cases: estimate the difference, and decide whether chance can explain
it."""
