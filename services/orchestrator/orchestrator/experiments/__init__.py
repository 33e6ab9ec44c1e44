"""Experiments: variants answer the same cases in rounds, are compared after each round, and stop when decided."""
