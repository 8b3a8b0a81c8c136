/** When a server is asked to read its files again, and how often: what it runs already is never reloaded. */
import { beforeEach, describe, expect, it } from 'vitest'
import { evaluateLoaded } from '../../../src/features/alerting/checks.ts'
import { type LoadedParts, LoadedWatch } from '../../../src/features/alerting/loaded/watch.ts'
import { readRouter, readRules } from '../../../src/features/alerting/servers/running.ts'
import { failedMails, FailedMails } from '../../../src/features/alerting/servers/readiness.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { handClock, type HandClock } from '../../fakes/hand-clock.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const MARK = 'plumbline-0123456789ab'
const { signal } = new AbortController()

describe('the watch over what a server runs', () => {
  let clock: HandClock
  let runs: string
  let reloads: number
  let refusal: string | null
  let takes: boolean
  beforeEach(() => {
    clock = handClock()
    runs = 'another'
    reloads = 0
    refusal = null
    takes = true
  })
  const watchOf = (over: Partial<LoadedParts> = {}) =>
    new LoadedWatch({
      name: 'Alertmanager',
      mark: MARK,
      clock: { ...clock, sleep: (ms) => Promise.resolve(clock.pass(ms)) },
      log: silentLog,
      running: () => Promise.resolve({ known: true, state: { marks: [runs], sick: [] } }),
      isWritten: () => Promise.resolve(true),
      reload: () => {
        reloads += 1
        if (refusal === null && takes) runs = MARK
        return Promise.resolve(refusal)
      },
      mode: () => 'repair',
      assertNewest: () => Promise.resolve(),
      ...over,
    })

  it('reloads once, and never what runs already', async () => {
    const watch = watchOf()
    expect(await watch.look(signal)).toEqual({ kind: 'loaded', sick: [] })
    for (let release = 0; release < 10; release++) {
      watch.written()
      expect(await watch.look(signal)).toMatchObject({ kind: 'loaded' })
    }
    expect(reloads).toBe(1)
  })

  it('says why a reload was refused, and tries again less and less often', async () => {
    refusal = 'Prometheus takes no reload.'
    const watch = watchOf()
    const at: number[] = []
    while (clock.elapsed() < 1_300_000) {
      const before = reloads
      expect(await watch.look(signal)).toEqual({ kind: 'not_loaded', why: refusal })
      if (reloads > before) at.push(clock.elapsed() / 1000)
      clock.pass(15_000)
    }
    expect(at).toEqual([0, 30, 90, 210, 450, 930])
    refusal = null
    watch.written()
    expect(await watch.look(signal)).toMatchObject({ kind: 'loaded' })
  })

  it('does not reload what reads something else again and again: each time begins all waits anew', async () => {
    takes = false
    const watch = watchOf()
    expect(await watch.look(signal)).toMatchObject({
      why: expect.stringContaining('reads another file') as string,
    })
    while (clock.elapsed() < 3_600_000) {
      expect(await watch.look(signal)).toMatchObject({ kind: 'not_loaded' })
      clock.pass(15_000)
    }
    expect(reloads).toBe(1)
    clock.pass(60_000)
    await watch.look(signal)
    expect(reloads).toBe(2)
  })

  it.each<[string, Partial<LoadedParts>, object]>([
    ['while the files are not written', { isWritten: () => Promise.resolve(false) }, { kind: 'not_written' }],
    ['in the mode observe', { mode: () => 'observe' }, { kind: 'not_loaded' }],
    ['where nothing is set', { reload: null }, { kind: 'not_loaded' }],
    [
      'while nothing may go outside',
      { assertNewest: () => Promise.reject(new Failure('restored_from_backup', 'The world is newer.')) },
      { kind: 'not_loaded', why: 'The world is newer.' },
    ],
    [
      'while it does not answer',
      { running: () => Promise.resolve({ known: false, reason: 'unreachable', detail: 'Nobody is there.' }) },
      { kind: 'unknown', detail: 'Nobody is there.' },
    ],
  ])('does not reload %s', async (_when, over, state) => {
    expect(await watchOf(over).look(signal)).toMatchObject(state)
    expect(reloads).toBe(0)
  })
})

describe('what the servers answer', () => {
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
