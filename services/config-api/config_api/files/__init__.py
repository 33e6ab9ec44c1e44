"""Read and store files of any kind, for task files and datasets."""
