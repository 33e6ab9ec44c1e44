"""Read and write files with test cases and tasks. All input has size limits, and error messages name the line."""
