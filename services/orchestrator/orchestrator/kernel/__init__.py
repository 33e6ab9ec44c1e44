"""Code that several features of the orchestrator share. The kernel imports no feature."""
