"""Two columns of answers to the same cases: how far apart, and whether that is more than noise."""
