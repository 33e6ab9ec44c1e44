"""Measure how far a judge agrees with people, and correct its mean scores by a random sample of people's labels."""
