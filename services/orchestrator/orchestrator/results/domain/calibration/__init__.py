"""Measure a judge against people, and correct what it says by a random sample of labels."""
