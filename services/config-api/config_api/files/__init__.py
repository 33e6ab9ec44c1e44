"""Read and store uploaded files: those of tasks, datasets and documents."""
