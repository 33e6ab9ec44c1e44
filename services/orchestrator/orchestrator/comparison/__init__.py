"""Compare two or more columns, each with the answers of one target of a run to the same cases: pairs, verdicts, gates
and the winner.
"""
