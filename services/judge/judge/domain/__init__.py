"""The judge's logic: it reads and compares texts, and accesses no network, broker or database."""
