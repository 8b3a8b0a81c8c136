/** What is read of the answers of the two servers, and what is nothing of its kind. */
import { describe, expect, it } from 'vitest'
import { evaluateLoaded } from '../../../src/features/alerting/checks.ts'
import { readLoadedAt } from '../../../src/features/alerting/servers/loaded-at.ts'
import { failedMails, FailedMails } from '../../../src/features/alerting/servers/readiness.ts'
import { readRouter, readRules } from '../../../src/features/alerting/servers/running.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const MARK = 'plumbline-0123456789ab'

describe('what the servers answer', () => {
  it.each([
    ['prometheus_config_last_reload_success_timestamp_seconds 1.7604211234567e+09\n', 1_760_421_123_456],
    ['# HELP x\nalertmanager_config_last_reload_success_timestamp_seconds 1760421123\n', 1_760_421_123_000],
    ['prometheus_config_last_reload_success_timestamp_seconds 0\n', 0],
    ['prometheus_config_last_reload_success_timestamp_seconds e\n', null],
    ['prometheus_config_last_reload_successful 1\n', null],
    ['<html>', null],
    ['', null],
  ])('says when it read its files last: %j', (text, at) => {
    expect(readLoadedAt(text)).toBe(at)
  })

  it('names the renderings that run, and what cannot be evaluated', () => {
    const rules = [
      { name: 'A', health: 'ok', annotations: { summary: 's', rendering: 'abc' } },
      { name: 'B', health: 'err', lastError: 'many-to-many' },
    ]
    const running = readRules(JSON.stringify({ data: { groups: [{ name: 'g', rules }] } }))
    expect(running).toEqual({ marks: ['abc'], sick: ['B: many-to-many'] })
    expect(evaluateLoaded({ kind: 'loaded', sick: running!.sick })).toMatchObject({
      ok: false,
      message: 'Rules cannot be evaluated: B: many-to-many.',
    })
    const original = `receivers:\n- name: primary\n- name: ${MARK}\ntemplates: []\n`
    expect(readRouter(JSON.stringify({ config: { original } }))).toEqual({ marks: [MARK], sick: [] })
  })

  it.each([
    '',
    '<html>plumbline-0123456789ab</html>',
    '[]',
    '{"config":{}}',
    '{"data":{"groups":[{}]}}',
    'null',
  ])('is nothing of its kind where it is %j', (text) => {
    expect([readRules(text), readRouter(text), failedMails(text)]).toEqual([null, null, null])
  })

  itInDepth('counts mails that were given up, by whatever reasons there are', () => {
    const line = (reason: string, figure: string) =>
      `alertmanager_notifications_failed_total{integration="email"${reason}} ${figure}\n`
    expect(failedMails(line('', '3'))).toBe(3)
    expect(failedMails(`# HELP x\n${line(',reason="other"', '2')}${line(',reason="x"', '1e+01')}`)).toBe(12)
    expect(failedMails('alertmanager_notifications_failed_total{integration="webhook"} 7\n')).toBeNull()
    // A figure stands on one line. Over a text of millions of characters in which none ends, nothing is tried without end.
    expect(failedMails('alertmanager_notifications_failed_total{\nintegration="email"} 3\n')).toBeNull()
    const endless = 'alertmanager_notifications_failed_total{integration="email",x="'
    for (const text of [`${endless}\n`.repeat(100_000), endless + 'integration="email"'.repeat(300_000)])
      expect(failedMails(text)).toBeNull()
    for (const blank of ['\n', ' ', '- '])
      expect(readRouter(JSON.stringify({ config: { original: blank.repeat(3_000_000) } }))?.marks).toEqual([])
  })
})

it('mails fail from a rise on until ten minutes after the last one, also over a restart', () => {
  const mails = new FailedMails()
  const minute = 60_000
  const seen = [5, 5, 6, 6, 7].map((figure, n) => mails.isFailing(figure, n * 5 * minute))
  expect(seen).toEqual([false, false, true, true, true])
  expect(mails.isFailing(7, 29 * minute)).toBe(true)
  expect(mails.isFailing(7, 30 * minute)).toBe(false)
  expect(mails.isFailing(0, 31 * minute)).toBe(false)
  expect(mails.isFailing(1, 32 * minute)).toBe(true)
  expect(new FailedMails().isFailing(9, 0)).toBe(false)
})
