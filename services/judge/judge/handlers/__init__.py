"""Use cases: scoring one answer, and asking the judge model one thing."""
