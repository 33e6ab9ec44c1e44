"""Use cases: scoring one answer, and calling the judge model."""
