/** The text that Prometheus reads: it parses, says what was recorded, and has no series that the catalogue does not know. */
import { describe, expect, it } from 'vitest'
import { COUNTERS, DURATIONS, GAUGES } from '../../../src/io/metrics/catalogue.ts'
import { createMetrics } from '../../../src/io/metrics/create-metrics.ts'
import type { CounterName, DurationName, GaugeName } from '../../../src/kernel/metrics.ts'

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The exposition format 0.0.4, strictly: HELP and TYPE before the samples of each family, no sample twice. */
function parse(text: string): { families: Map<string, string>; samples: Sample[] } {
  expect(text.endsWith('\n')).toBe(true)
  const families = new Map<string, string>()
  const samples: Sample[] = []
  const seen = new Set<string>()
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line)
    if (type !== null) families.set(type[1]!, type[2]!)
    else if (!/^# HELP \S+ .+$/.test(line)) {
      const sample = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? ([+-]?Inf|NaN|[-+.e\d]+)$/.exec(line)
      if (sample === null) throw new Error(`no sample: ${line}`)
      const pairs = [...(sample[2] ?? '').matchAll(/([a-z_]+)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/g)]
      const labels = Object.fromEntries(pairs.map(([, name, value]) => [name!, value!]))
      const value = Number(sample[3]!.replace('Inf', 'Infinity'))
      const series = line.slice(0, line.lastIndexOf(' '))
      expect([series, seen.has(series)]).toEqual([series, false])
      seen.add(series)
      samples.push({ name: sample[1]!, labels, value })
    }
  }
  return { families, samples }
}

const labelled = (names: readonly string[], value = 'x') =>
  Object.fromEntries(names.map((name) => [name, value]))
const EVERY = { ...COUNTERS, ...GAUGES, ...DURATIONS }

async function recorded() {
  const metrics = createMetrics()
  for (const [name, { labels }] of Object.entries(COUNTERS))
    metrics.count(name as CounterName, labelled(labels))
  for (const [name, { labels }] of Object.entries(GAUGES))
    metrics.gauge(name as GaugeName, 7, labelled(labels))
  for (const [name, { labels }] of Object.entries(DURATIONS))
    metrics.observe(name as DurationName, 0.02, labelled(labels))
  return { metrics, text: await metrics.text() }
}

describe('the text', () => {
  it('parses, and holds each metric of the house with its labels and nothing else of ours', async () => {
    const { families, samples } = parse((await recorded()).text)
    for (const [name, { labels }] of Object.entries(EVERY)) {
      const own = samples.filter((sample) => sample.name.startsWith(name))
      expect([name, own.length > 0]).toEqual([name, true])
      for (const sample of own)
        expect(
          Object.keys(sample.labels)
            .filter((label) => label !== 'le')
            .sort(),
        ).toEqual([...labels].sort())
    }
    const ours = [...families.keys()].filter((name) => name.startsWith('plumbline_'))
    expect(ours.sort()).toEqual([...Object.keys(EVERY), 'plumbline_metrics_misuse_total'].sort())
    expect(samples.filter((sample) => sample.name.includes('misuse'))).toEqual([])
  })

  it('has no label that could hold a domain', () => {
    const all = new Set(Object.values(EVERY).flatMap(({ labels }) => labels))
    expect([...all].sort()).toEqual([
      'cause',
      'channel',
      'component',
      'invariant',
      'kind',
      'method',
      'result',
      'route',
      'rule',
      'status',
      'verb',
    ])
  })

  it('says what the process uses', async () => {
    const { families } = parse((await recorded()).text)
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_seconds',
    ])
      expect(families.has(name)).toBe(true)
  })

  it('has the media type that goes with it', async () => {
    expect((await recorded()).metrics.content_type).toBe('text/plain; version=0.0.4; charset=utf-8')
  })
})

describe('recording', () => {
  const valueOf = (text: string, name: string, labels: Record<string, string> = {}) =>
    parse(text).samples.find(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )?.value

  it('takes back what is not known any more, and nothing beside it', async () => {
    const metrics = createMetrics()
    const labels = { component: 'routes', cause: 'edited' }
    metrics.gauge('plumbline_drift', 2, labels)
    metrics.gauge('plumbline_drift', 1, { ...labels, cause: 'lost' })
    metrics.forget('plumbline_drift', labels)
    metrics.forget('plumbline_drift', labels)
    metrics.forget('plumbline_drift', { ...labels, cause: 'never' })
    const text = await metrics.text()
    expect(valueOf(text, 'plumbline_drift', labels)).toBeUndefined()
    expect(valueOf(text, 'plumbline_drift', { cause: 'lost' })).toBe(1)
    expect(valueOf(text, 'plumbline_metrics_misuse_total')).toBeUndefined()
  })

  it('adds, sets and sorts into buckets', async () => {
    const metrics = createMetrics()
    metrics.count('plumbline_releases_total')
    metrics.count('plumbline_releases_total', {}, 4)
    metrics.gauge('plumbline_domains', 3, { status: 'active' })
    metrics.gauge('plumbline_domains', 2, { status: 'active' })
    metrics.observe('plumbline_queue_wait_seconds', 0.07)
    const text = await metrics.text()
    expect(valueOf(text, 'plumbline_releases_total')).toBe(5)
    expect(valueOf(text, 'plumbline_domains', { status: 'active' })).toBe(2)
    expect(valueOf(text, 'plumbline_queue_wait_seconds_bucket', { le: '0.05' })).toBe(0)
    expect(valueOf(text, 'plumbline_queue_wait_seconds_bucket', { le: '0.1' })).toBe(1)
    expect(valueOf(text, 'plumbline_queue_wait_seconds_count')).toBe(1)
  })

  it('keeps hostile label values inside their quotes', async () => {
    const metrics = createMetrics()
    const hostile = 'x"} 1\nplumbline_forged 1\\'
    metrics.count('plumbline_http_requests_total', { method: 'GET', route: hostile, status: '200' })
    expect(parse(await metrics.text()).samples.some((sample) => sample.name === 'plumbline_forged')).toBe(
      false,
    )
  })

  it('drops a sample that does not fit, counts it, and does not throw', async () => {
    const metrics = createMetrics()
    metrics.count('plumbline_reconcile_total', { component: 'routes', domain: 'a.example' })
    metrics.count('plumbline_reconcile_total', { component: 'routes' })
    metrics.count('plumbline_reconcile_total', { component: 'routes', result: 'clean' }, -1)
    metrics.observe('plumbline_queue_wait_seconds', 'soon' as unknown as number)
    const text = await metrics.text()
    expect(text).not.toContain('a.example')
    expect(valueOf(text, 'plumbline_metrics_misuse_total', { metric: 'plumbline_reconcile_total' })).toBe(3)
    expect(valueOf(text, 'plumbline_metrics_misuse_total', { metric: 'plumbline_queue_wait_seconds' })).toBe(
      1,
    )
  })

  it('is apart for each instance', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.count('plumbline_releases_total')
    expect(valueOf(await other.text(), 'plumbline_releases_total')).toBe(0)
  })
})
