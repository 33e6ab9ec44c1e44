"""The statistics of experiments: plan the sample, assign units, compare variants with the control, and decide."""
