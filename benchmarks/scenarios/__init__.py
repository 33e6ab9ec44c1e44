"""The scenarios of the benchmarks, one per file. Each file defines a constant `SCENARIO`."""
