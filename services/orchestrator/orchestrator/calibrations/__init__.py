"""Measure judges against people. A calibration compares a judge's scores with people's labels, and corrects the judge's
means and pass rates by them. This package also plans how many labels people have to give."""
