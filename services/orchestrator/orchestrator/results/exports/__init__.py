"""Export formats: one file each, found by name. `exports.csv` is `?format=csv`."""
