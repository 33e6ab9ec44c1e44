"""Compare two or more columns of answers to the same cases: pairs, verdicts, gates and the winner."""
