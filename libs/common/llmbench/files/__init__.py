"""Files that people upload, read line by line: everything is bounded, and every fault has its line."""
