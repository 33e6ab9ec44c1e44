"""Read uploaded files, and store the files of datasets and documents."""
