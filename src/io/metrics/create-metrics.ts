/** The daemon's metrics over the Prometheus client, in a registry of their own, with those of the process beside them. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { Labels, Metrics } from '../../kernel/metrics.ts'
import { COUNTERS, DURATIONS, GAUGES } from './catalogue.ts'

export interface ReadableMetrics extends Metrics {
  /** Everything in the Prometheus text format, 0.0.4. */
  text(): Promise<string>
  /** The media type of `text`. */
  readonly content_type: string
}

// The defaults wake an idle process up to a hundred times a second. Request durations show short stalls of the loop.
const QUIET = { eventLoopMonitoringPrecision: 5000, eventLoopUtilizationTimeout: 5000 }

/**
 * Of the client's own metrics, those that `promtool check metrics` rejects for their names, and those of each heap space,
 * of which there are many.
 */
const UNWANTED = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  'nodejs_active_resources',
  'nodejs_active_resources_total',
  'nodejs_eventloop_utilization_histogram',
  'nodejs_eventloop_utilization_summary',
  'nodejs_heap_space_size_available_bytes',
  'nodejs_heap_space_size_total_bytes',
  'nodejs_heap_space_size_used_bytes',
]

/** Recording never throws: a mistake in a label costs that sample, is counted, and does not cost the work it counts. */
export function createMetrics(): ReadableMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, ...QUIET })
  for (const name of UNWANTED) registry.removeSingleMetric(name)
  const counters = mapValues(
    COUNTERS,
    (name, { help, labels }) => new Counter({ name, help, labelNames: labels, registers }),
  )
  const gauges = mapValues(
    GAUGES,
    (name, { help, labels }) => new Gauge({ name, help, labelNames: labels, registers }),
  )
  const durations = mapValues(
    DURATIONS,
    (name, { help, labels, buckets }) =>
      new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers }),
  )
  const misuse = new Counter({
    name: 'plumbline_metrics_misuse_total',
    help: 'Samples dropped because their labels or value do not fit the metric. Not zero is a bug.',
    labelNames: ['metric'],
    registers,
  })
  const guarded = (metric: string, record: () => void): void => {
    try {
      record()
    } catch {
      misuse.inc({ metric })
    }
  }
  const limited = mapValues(COUNTERS, (_name, { limit }) => atMost(limit))
  return {
    count: (name, labels = {}, by = 1) =>
      guarded(name, () => counters[name].inc(limited[name](fit(labels, COUNTERS[name])), by)),
    gauge: (name, value, labels = {}) =>
      guarded(name, () => gauges[name].set(fit(labels, GAUGES[name]), value)),
    forget: (name, labels = {}) => guarded(name, () => gauges[name].remove(fit(labels, GAUGES[name]))),
    observe: (name, seconds, labels = {}) =>
      guarded(name, () => durations[name].observe(fit(labels, DURATIONS[name]), seconds)),
    // The client spells "not a number" as Nan; strict readers know NaN only.
    text: async () => (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN'),
    content_type: registry.contentType,
  }
}

/** The labels as they are, when they are exactly those of the metric: a missing one would make a second kind of series. */
function fit(labels: Labels, metric: { readonly labels: readonly string[] }): Labels {
  const given = Object.keys(labels)
  if (given.length !== metric.labels.length || !metric.labels.every((name) => name in labels))
    throw new Error(`has the labels ${given.join(', ')} instead of ${metric.labels.join(', ')}`)
  return labels
}

/** The labels as they are while there is room for them, else with the values that stand for all others. */
function atMost(limit: { readonly series: number; readonly beyond: Labels } | undefined) {
  const known = new Set<string>()
  return (labels: Labels): Labels => {
    if (limit === undefined) return labels
    const series = JSON.stringify(Object.values(labels))
    if (known.size < limit.series) known.add(series)
    return known.has(series) ? labels : { ...labels, ...limit.beyond }
  }
}

function mapValues<K extends string, V, R>(
  table: Readonly<Record<K, V>>,
  make: (name: K, value: V) => R,
): Record<K, R> {
  const entries = Object.entries(table) as [K, V][]
  return Object.fromEntries(entries.map(([name, value]) => [name, make(name, value)])) as Record<K, R>
}
