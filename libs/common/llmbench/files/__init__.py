"""Read uploaded files with test cases and tasks. All sizes are bounded, and faults name their line."""
