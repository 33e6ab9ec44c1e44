"""Programs for this repository: `gen` writes generated files, `screens` makes the pictures of the documentation."""
