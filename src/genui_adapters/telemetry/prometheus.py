"""The counts of a tally in the text format of Prometheus, for ``GET /metrics``."""

from collections.abc import Iterator

from attrs import frozen
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from genui_adapters.telemetry.tally import BUCKETS_S, DURATION, IN_FLIGHT, MEASURES, Tally


def exposition(tally: Tally, accept: str) -> tuple[bytes, str]:
    """Return the counts in a format that ``accept`` allows, and the media type of that format."""
    registry = CollectorRegistry()
    registry.register(_Numbers(tally))
    encode, kind = choose_encoder(accept)
    return encode(registry), kind


@frozen
class _Numbers(Collector):
    """The current counts of a tally."""

    tally: Tally

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        for measure in MEASURES:
            labels = [measure.label] if measure.label else []
            family = CounterMetricFamily(measure.name, measure.about, labels=labels)
            for value, total in sorted(self.tally.totals(measure).items()):
                family.add_metric([value] if labels else [], total)
            yield family
        yield GaugeMetricFamily(IN_FLIGHT, "Running generations.", value=self.tally.in_flight)
        durations = HistogramMetricFamily(DURATION, "How long generations took.", labels=["outcome"])
        ends = [*map(str, BUCKETS_S), "+Inf"]
        for outcome, (counts, sum_s) in sorted(self.tally.durations().items()):
            durations.add_metric([outcome], [*zip(ends, counts, strict=True)], sum_s)
        yield durations
