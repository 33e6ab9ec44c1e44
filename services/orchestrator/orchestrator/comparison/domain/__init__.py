"""Compare two columns of answers to the same cases: estimate the difference and whether it exceeds noise."""
