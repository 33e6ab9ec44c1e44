"""Read uploaded files line by line: all sizes are bounded, and every fault names its line."""
