"""Start, follow and show runs from the command line; commands and the demo share these modules."""
