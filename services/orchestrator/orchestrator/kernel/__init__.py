"""Values and rows that the features share. The kernel imports no feature."""
