"""Read uploaded files, and store those of datasets and documents."""
