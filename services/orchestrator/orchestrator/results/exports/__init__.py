"""The export formats, one module each, discovered by name: `exports.csv` is `?format=csv`."""
