"""Compare two columns of answers to the same cases: estimate the difference, and decide whether it exceeds chance."""
