"""Pure functions of calibrations: find the answers that labels belong to, bring labels onto a scale, and compute
figures."""
