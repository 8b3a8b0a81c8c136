/** What monitoring reads tells what happened, without a domain name in any label. */
import { expect, it } from 'vitest'
import { createActive, openTestHouse } from './test-house.ts'

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
