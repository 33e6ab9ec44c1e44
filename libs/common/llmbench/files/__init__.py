"""Read and write files with test cases and tasks. Everything that is read is bounded, and faults name their line."""
