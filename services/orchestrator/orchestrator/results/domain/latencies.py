"""Collect the latencies of answers, and compute the percentiles that reports show."""

from array import array


class Latencies:
    """Latencies in milliseconds, eight bytes each. All values are kept, because exact percentiles need them."""

    def __init__(self) -> None:
        self._ms = array("q")

    def add(self, latency_ms: int) -> None:
        self._ms.append(latency_ms)

    def figures(self) -> dict[str, float | None]:
        """Return the statistics in milliseconds. They are `None` without a value; the standard deviation is also `None`
        with a single value.

        Percentiles use linear interpolation, as numpy and PostgreSQL's `percentile_cont` do. The standard deviation is
        the sample's.

        >>> latencies = Latencies()
        >>> for each in (10, 20, 30, 40): latencies.add(each)
        >>> {name: round(value, 3) for name, value in latencies.figures().items()}
        {'p50': 25.0, 'p95': 38.5, 'p99': 39.7, 'mean': 25.0, 'median': 25.0, 'std_dev': 12.91}
        >>> Latencies().figures()["p50"] is None
        True
        """
        if not self._ms:
            return dict.fromkeys(("p50", "p95", "p99", "mean", "median", "std_dev"))
        # Import here: numpy costs 25 MB and 100 ms, and only such a report needs it.
        import numpy as np

        values = np.frombuffer(self._ms, dtype=np.int64)
        p50, p95, p99 = (float(value) for value in np.percentile(values, (50, 95, 99)))
        return {
            "p50": p50,
            "p95": p95,
            "p99": p99,
            "mean": float(np.mean(values)),
            "median": p50,
            "std_dev": float(np.std(values, ddof=1)) if len(values) > 1 else None,
        }
