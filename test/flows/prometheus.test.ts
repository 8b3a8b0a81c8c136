/** A real Prometheus scrapes the house, and discovers through it what there is to be probed. */
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { until } from '../peers/peer.ts'
import { describePeers } from '../peers/peers.ts'
import { checkMetrics, PROMETHEUS_PROGRAMS, startPrometheus } from '../peers/prometheus.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

/** As the blackbox exporter answers, with what it was asked to probe. */
async function startExporter() {
  const probed = new Set<string>()
  const server = createServer((request, response) => {
    probed.add(new URL(request.url ?? '', 'http://exporter').searchParams.get('target') ?? '')
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end('probe_success 1\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as { port: number }).port}`,
    probed,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describePeers(PROMETHEUS_PROGRAMS, 'Prometheus', () => {
  itInDepth('scrapes /metrics, discovers /api/metrics-targets and labels what it probes', async () => {
    const exporter = await startExporter()
    await using at = await openTestHouse({ opened: false })
    const house = new URL(await at.house.open())
    await createActive(at.call, { domain: 'app.example.com', health_check_path: '/up' })
    await createActive(at.call, { domain: 'plain.example.com', ssl_enabled: false, auth_required: false })
    const prometheus = await startPrometheus(`
  - job_name: plumbline
    static_configs: [{ targets: ["${house.host}"] }]
  - job_name: probes
    metrics_path: /probe
    http_sd_configs: [{ url: "${house.origin}/api/metrics-targets", refresh_interval: 1s }]
    relabel_configs:
      - { source_labels: [__address__], target_label: __param_target }
      - { source_labels: [__param_target], target_label: instance }
      - { source_labels: [__meta_plumbline_domain_id], target_label: domain_id }
      - { target_label: __address__, replacement: "${exporter.address}" }
`)
    const samples = (query: string, count: number) =>
      until(query, async () => {
        const { result } = (await prometheus.ask(`query?query=${encodeURIComponent(query)}`)) as {
          result: Sample[]
        }
        return result.length === count && result
      })
    try {
      const domains = await samples('plumbline_domains{status="active"}', 1)
      expect(domains[0]!.value[1]).toBe('2')
      expect((await samples('probe_success', 2)).map(({ metric }) => metric)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            instance: 'https://app.example.com/up',
            auth_required: 'true',
            domain_id: '1',
          }),
          expect.objectContaining({ instance: 'http://plain.example.com/', auth_required: 'false' }),
        ]),
      )
      expect(exporter.probed).toEqual(new Set(['https://app.example.com/up', 'http://plain.example.com/']))

      await at.call('POST', '/api/domains/2/deactivate')
      await until('the domain that was taken off line to be forgotten', async () => {
        const { activeTargets } = (await prometheus.ask('targets?state=active')) as {
          activeTargets: { labels: Record<string, string>; health: string }[]
        }
        const jobs = activeTargets
          .map(({ labels, health }) => `${labels['job']} ${labels['instance']} ${health}`)
          .sort()
        return (
          jobs.join() ===
            [`plumbline ${house.host} up`, 'probes https://app.example.com/up up'].sort().join() && jobs
        )
      })
    } finally {
      await prometheus.stop()
      await exporter.close()
    }
  })

  it('promtool has nothing to say of our metrics', async () => {
    await using at = await openTestHouse({ opened: false })
    await createActive(at.call)
    const { headers, body } = await at.call('GET', '/metrics')
    expect(headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const advice = (await checkMetrics(body as unknown as string)).split('\n').filter((line) => line !== '')
    // What a process is measured by is named by a convention that is older than the advice.
    expect(advice).toEqual([])
  })
})
