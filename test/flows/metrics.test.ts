/** What monitoring reads tells what happened, without a domain name in any label. */
import { expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { PROMETHEUS_PROGRAMS, promtool } from '../peers/prometheus.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { sample } from '../kit/tier.ts'
import { itInDepth } from '../kit/in-depth.ts'

it('the metrics of a deploy are all there', async () => {
  await using at = await openTestHouse()
  await createActive(at.call, { domain: 'canary.example.com' })
  const { status, body } = await at.call('GET', '/metrics')
  expect(status).toBe(200)
  const text = body as unknown as string
  for (const line of [
    'plumbline_reconcile_total{component="routes",result="repaired"}',
    'plumbline_domains{status="active"} 1',
    'plumbline_journal_open_steps 0',
    'plumbline_queue_wait_seconds_count',
    'plumbline_releases_total',
    'plumbline_last_success_timestamp_seconds{component="routes"}',
    'plumbline_metrics_misuse_total',
  ])
    expect(text).toContain(line)
  expect(text).toMatch(/plumbline_plan_actions_total\{component="routes",verb="(?:create|update)"\} [1-9]/)
  expect(text).not.toContain('canary')
  expect(text).not.toMatch(/plumbline_metrics_misuse_total\{/)
})

const STRANGER = { key: null, peer: '84.1.2.3' } as const
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'BREW']

const seriesOf = (text: string): string[] => text.split('\n').filter((line) => /^[a-z]/.test(line))

itInDepth('whatever strangers call, with any method, in any way, there are at most 600 series', async () => {
  await using at = await openTestHouse()
  const metrics = async () => (await at.call('GET', '/metrics')).body as unknown as string
  const { body } = await at.call('GET', '/openapi.json')
  const { paths } = body as unknown as { readonly paths: Readonly<Record<string, object>> }
  const targets = [...Object.keys(paths).map((path) => path.replaceAll(/\{[^}]+\}/g, '1')), '/nothing', '//x']
  const ways = [
    STRANGER,
    { ...STRANGER, headers: { host: 'evil.example' } },
    { ...STRANGER, headers: { 'x-api-key': 'wrong' } },
    // Of this host, without a key: let in where none is needed.
    { key: null, peer: '127.0.0.1' },
  ]
  const before = seriesOf(await metrics()).length
  const deeds = /restore|reconcile|send|exports|events/
  for (const way of ways)
    for (const target of targets.filter((path) => way.peer !== '127.0.0.1' || !deeds.test(path)))
      for (const method of sample(METHODS, 2)) await at.call(method, target, way)
  const after = seriesOf(await metrics())
  expect(before).toBeLessThan(300)
  expect(after.length - before).toBeLessThan(200)
  expect(after.length).toBeLessThanOrEqual(600)
  const counted = after.filter((line) => line.startsWith('plumbline_http_requests_total{'))
  expect(counted.some((line) => line.includes('route="refused",status="401"'))).toBe(true)
  // Those who may call are told apart as before.
  expect(counted.some((line) => line.includes('method="GET",route="/openapi.json",status="200"'))).toBe(true)
})

describePeers(PROMETHEUS_PROGRAMS, 'promtool', () => {
  it('dislikes no name and no help of ours or of the process', async () => {
    await using at = await openTestHouse()
    await createActive(at.call, { domain: 'canary.example.com' })
    const { body } = await at.call('GET', '/metrics')
    expect(await promtool(['check', 'metrics'], body as unknown as string)).toMatchObject({
      code: 0,
      output: '',
    })
  })
})
