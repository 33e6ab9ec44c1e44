"""Pure functions and values: compute due times, and decide whether a schedule fires."""
