"""The checks of `llmbench doctor`. Each returns findings; none changes anything."""
