"""Start, follow and show runs from the command line. The commands about runs and the demo share these modules."""
