/**
 * The product's metrics, which are collected for Prometheus, as OpenTelemetry's libraries send them: the same names,
 * labels and numbers.
 */
import { ValueType, type HrTime } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricDescriptor,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

type Labels = Record<string, string | number>;
type Value = MetricValue<string> & { metricName?: string };

/** All metrics of this process as they are now. */
export type ReadMetrics = () => Promise<readonly MetricObjectWithValues<MetricValue<string>>[]>;

/** Each export reads the metrics again; they count from the start of the process. */
export function metricsAsOtlp(read: ReadMetrics): MetricProducer {
  const startTime = hrTimeOf(performance.timeOrigin);
  return {
    async collect() {
      const times = { startTime, endTime: hrTimeOf(Date.now()) };
      const metrics = (await read()).flatMap((metric) => dataOf(metric, times));
      const scopeMetrics = [{ scope: { name: 'sideline' }, metrics }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
    },
  };
}

type Times = { startTime: HrTime; endTime: HrTime };

const hrTimeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.floor((ms % 1000) * 1_000_000)];

function dataOf(metric: MetricObjectWithValues<MetricValue<string>>, times: Times): MetricData[] {
  const base = { descriptor: descriptorOf(metric), aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const points = () =>
    metric.values.map(({ labels, value }) => ({ ...times, attributes: attributesOf(labels), value }));
  // prom-client types its enum, but returns its names.
  switch (String(metric.type)) {
    case 'counter':
      return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }];
    case 'gauge':
      return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints: points() }];
    case 'histogram':
      return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(metric.values, times) }];
    default:
      return [];
  }
}

const descriptorOf = ({ name, help }: { name: string; help: string }): MetricDescriptor => ({
  name,
  description: help,
  unit: /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : '',
  valueType: ValueType.DOUBLE,
});

function attributesOf({ le: _bound, ...labels }: Partial<Labels>): Labels {
  return labels as Labels;
}

/** Prometheus counts each value in every bucket above it, OpenTelemetry in one. */
function histogramsOf(values: readonly Value[], times: Times): DataPoint<Histogram>[] {
  const series = new Map<string, { labels: Labels; below: Map<number, number>; sum: number; count: number }>();
  for (const { labels, value, metricName } of values) {
    const attributes = attributesOf(labels);
    const key = JSON.stringify(Object.entries(attributes).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const histogram = series.get(key) ?? { labels: attributes, below: new Map<number, number>(), sum: 0, count: 0 };
    series.set(key, histogram);
    const { le } = labels as Partial<Labels>;
    if (metricName?.endsWith('_sum')) histogram.sum = value;
    else if (metricName?.endsWith('_count')) histogram.count = value;
    else if (typeof le === 'number') histogram.below.set(le, value);
  }
  return [...series.values()].map(({ labels, below, sum, count }) => {
    const boundaries = [...below.keys()].toSorted((a, b) => a - b);
    const upTo = [...boundaries.map((bound) => below.get(bound) ?? 0), count];
    const counts = upTo.map((value, index) => value - (upTo[index - 1] ?? 0));
    return { ...times, attributes: labels, value: { buckets: { boundaries, counts }, sum, count } };
  });
}
