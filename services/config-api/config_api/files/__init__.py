"""Read and store files of any kind: the part that task files and datasets share."""
