/** Conditions: every outcome of a pass, transitions over a sequence, age, and what is written when. */
import { describe, expect, it } from 'vitest'
import {
  changesBetween,
  conditionsAfter,
  type Seen,
  MAX_ATTRIBUTED,
} from '../../../src/engine/status/conditions.ts'
import { canonical } from '../../../src/engine/status/same-words.ts'
import {
  componentCondition,
  differingConditions,
  domainCondition,
  type KeyConditions,
  stalenessLimit,
} from '../../../src/engine/status/key-conditions.ts'
import type { Condition } from '../../../src/model/condition.ts'
import type { DriftCause } from '../../../src/model/drift.ts'
import type { Outcome, Report } from '../../../src/model/report.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openRig } from '../rig.ts'

const A = 'a.example.com'
const B = 'b.example.com'
const DOMAINS = new Map([
  [A, { domain_id: 1, released_revision: 4 }],
  [B, { domain_id: 2, released_revision: 7 }],
])

interface Wish {
  readonly message?: string
  readonly code?: 'internal' | 'shutting_down'
  readonly differences?: number
  readonly repaired?: number
}

const aReport = (outcome: Outcome, wish: Wish = {}): Report => ({
  component: 'routes',
  key: 'routes',
  outcome,
  differences: wish.differences ?? 0,
  repaired: wish.repaired ?? 0,
  refusals: [],
  failure:
    wish.message === undefined
      ? null
      : { code: wish.code ?? 'internal', message: wish.message, retry_after_ms: 0 },
  release: 1,
  observed_at: 0,
  took_ms: 1,
  next_attempt_at: 0,
})

/** A look that finds these differences: cause and domain, or no domain. */
const aLook = (found: readonly (readonly [DriftCause, string | null])[], over: Partial<Seen> = {}): Seen => ({
  deviates: true,
  unknown_because: null,
  rule: null,
  differences: found.map(([cause, domain], i) => ({
    item: `item ${i}`,
    cause,
    domains: domain === null ? [] : [domain],
    detail: '',
  })),
  ...over,
})

interface Step {
  readonly report: Report
  readonly observed?: Seen | null
  readonly at?: number
  readonly domains?: typeof DOMAINS
}

const after = (present: readonly Condition[], { report, observed = null, at = 1, domains = DOMAINS }: Step) =>
  conditionsAfter(present, { report, observed, at, domains })

const brief = (rows: readonly Condition[]): string[] =>
  rows.map(
    ({ domain_id, status, reason, last_transition_at }) =>
      `${domain_id} ${status} ${reason} since ${last_transition_at}`,
  )

describe('what a pass says', () => {
  const everybody = aLook([['edited', null]])
  it.each<[string, Step, string[]]>([
    ['clean', { report: aReport('clean') }, ['0 true in_sync since 1']],
    [
      'repaired',
      { report: aReport('repaired', { differences: 1, repaired: 1 }) },
      ['0 true in_sync since 1'],
    ],
    [
      'left drifting, whoever it belongs to',
      { report: aReport('left_drifting', { differences: 1 }), observed: everybody },
      ['0 false drifting since 1'],
    ],
    [
      'left drifting, and a target that names no items',
      { report: aReport('left_drifting', { differences: 1 }), observed: aLook([]) },
      ['0 false drifting since 1'],
    ],
    [
      'left drifting in one domain alone: the rest is in sync',
      { report: aReport('left_drifting', { differences: 1 }), observed: aLook([['lost', B]]) },
      ['0 true in_sync since 1', '2 false drifting since 1'],
    ],
    [
      'left drifting beside edits that wait: those are nobody’s trouble',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook([
          ['pending_deploy', null],
          ['edited', A],
        ]),
      },
      ['0 true in_sync since 1', '1 false drifting since 1'],
    ],
    [
      'left drifting in a name that no record has',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook([['edited', 'x.example.com']]),
      },
      ['0 false drifting since 1'],
    ],
    [
      'left drifting in more places than are told apart',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook(Array.from({ length: MAX_ATTRIBUTED + 1 }, () => ['edited', A] as const)),
      },
      ['0 false drifting since 1'],
    ],
    [
      'left drifting, and put right before the look',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook([], { deviates: false }),
      },
      ['0 true in_sync since 1'],
    ],
    [
      'left drifting, and not to be read any more at the look',
      {
        report: aReport('left_drifting', { differences: 1 }),
        observed: aLook([], { deviates: null, unknown_because: 'gone' }),
      },
      ['0 unknown unreadable since 1'],
    ],
    [
      'refused, because somebody else puts it back',
      {
        report: aReport('refused', { differences: 1, message: '3 times' }),
        observed: aLook([['edited', A]], { rule: 'contested' }),
      },
      ['0 true in_sync since 1', '1 false contested since 1'],
    ],
    [
      'refused by another guard',
      {
        report: aReport('refused', { differences: 1, message: 'not ours' }),
        observed: aLook([['edited', null]], { rule: 'not_ours' }),
      },
      ['0 false refused since 1'],
    ],
    [
      'failed with differences left',
      {
        report: aReport('failed', { differences: 2, repaired: 1, message: 'disk full' }),
        observed: everybody,
      },
      ['0 false failing since 1'],
    ],
    [
      'failed before anything was known',
      { report: aReport('failed', { message: 'too slow' }) },
      ['0 unknown failing since 1'],
    ],
    ['unknown', { report: aReport('unknown', { message: 'EACCES' }) }, ['0 unknown unreadable since 1']],
    [
      'suspended',
      { report: aReport('suspended', { message: 'routes is suspended: x' }) },
      ['0 unknown suspended since 1'],
    ],
    [
      'broken off by our own end: nothing',
      { report: aReport('failed', { message: 'bye', code: 'shutting_down' }) },
      [],
    ],
  ])('%s', (_name, step, expected) => {
    expect(brief(after([], step))).toEqual(expected)
  })

  it('carries the released revision of the domain, and none for the component', () => {
    const step = {
      report: aReport('left_drifting', { differences: 1 }),
      observed: aLook([['edited', A]]),
    }
    expect(after([], step).map(({ observed_revision }) => observed_revision)).toEqual([null, 4])
  })
})

describe('a transition', () => {
  const clean = { report: aReport('clean') }
  const failing = (message: string) => ({ report: aReport('failed', { differences: 1, message }) })
  const editedIn = (...names: string[]) => ({
    report: aReport('left_drifting', { differences: 1 }),
    observed: aLook(names.map((name) => ['edited', name] as const)),
  })
  const everywhere = { ...editedIn(), observed: aLook([['lost', null]]) }
  const unreadable = { report: aReport('unknown', { message: 'EACCES' }) }

  it.each<[string, readonly Step[], string[]]>([
    ['moves with the status alone', [clean, clean, clean], ['0 true in_sync since 1']],
    [
      'is not moved by another reason',
      [clean, failing('full'), failing('denied'), everywhere],
      ['0 false drifting since 2'],
    ],
    [
      'of one domain is its own, and stays news after the recovery',
      [clean, editedIn(A), editedIn(A), clean],
      ['0 true in_sync since 1', '1 true in_sync since 4'],
    ],
    [
      'of one domain goes on where the trouble becomes everybody’s',
      [clean, editedIn(A), everywhere],
      ['0 false drifting since 3', '1 false drifting since 2'],
    ],
    [
      'of one domain is forgotten with the next that all share',
      [clean, editedIn(A), clean, unreadable],
      ['0 unknown unreadable since 4'],
    ],
    [
      'of a second domain leaves the first alone',
      [clean, editedIn(A), editedIn(A, B), editedIn(B)],
      ['0 true in_sync since 1', '1 true in_sync since 4', '2 false drifting since 3'],
    ],
    [
      'is gone with its record',
      [clean, editedIn(A), { ...clean, domains: new Map() }],
      ['0 true in_sync since 1'],
    ],
  ])('%s', (_name, steps, expected) => {
    const rows = steps.reduce<readonly Condition[]>(
      (present, step, i) => after(present, { ...step, at: i + 1 }),
      [],
    )
    expect(brief(rows)).toEqual(expected)
  })

  it('that did not happen is no change to be written', () => {
    const first = after([], { ...editedIn(A), at: 1 })
    const again = after(first, { ...editedIn(A), at: 2 })
    expect(changesBetween(first, again)).toEqual({ save: [], drop: [] })
    const recovered = after(again, { ...clean, at: 3 })
    expect(changesBetween(again, recovered)).toMatchObject({
      save: [{ domain_id: 1, status: 'true' }],
      drop: [],
    })
    const unread = after(recovered, { ...unreadable, at: 4 })
    expect(changesBetween(recovered, unread)).toMatchObject({ save: [{ domain_id: 0 }], drop: [1] })
  })
})

describe('messages', () => {
  it.each([
    ['request 1b4e28ba-2fa1-11d2-883f-0016d3cca427 failed', 'request … failed'],
    ['try again in 37 seconds.', 'try again in … seconds.'],
    ['retry at 2030-01-31T12:00:00.123Z, please', 'retry at …, please'],
    ['it is 9f86d081884c7d659a2feaa0 now', 'it is … now'],
    ['/srv/disk2/routes.yml (EACCES): port 8080', '/srv/disk2/routes.yml (EACCES): port …'],
  ])('are compared without what varies: %s', (said, kept) => {
    expect(canonical(said)).toBe(kept)
  })

  const said = (message: string, id = 0) =>
    after([], { report: aReport('failed', { differences: 1, message }), at: 1 }).find(
      ({ domain_id }) => domain_id === id,
    )!.message

  it.each([
    'dns: one.test did not answer within 8000 ms.',
    'A held.one.test is somebody else’s (192.0.2.8 ttl 60).',
    'could not change 3 sets; retry at 2030-01-31T12:00:00.123Z',
  ])('are shown whole: %s', (message) => {
    expect(said(message)).toBe(message)
    const one_refused = aReport('failed', { differences: 1, message: 'all' })
    const refusals = [
      { item: A, domain_ids: [1], failure: { code: 'foreign_owner', message, retry_after_ms: 0 } },
    ] as Report['refusals']
    const observed = aLook([['foreign_owner', A]])
    const rows = after([], { report: { ...one_refused, refusals }, observed, at: 1 })
    expect(rows.find(({ domain_id }) => domain_id === 1)?.message).toBe(message)
  })

  it('are one line, and bounded', () => {
    expect(said('one\n two')).toBe('one two')
    expect(said('x'.repeat(5000))).toHaveLength(400)
    const long = said(`It failed. ${'x'.repeat(5000)} Free some space.`)
    expect(long).toHaveLength(400)
    expect(long).toMatch(/^It failed\. x+…x+ Free some space\.$/)
  })

  it.each([
    ['', ''],
    ['and then ', 'x'.repeat(500)],
    ['and then ', `${'x'.repeat(500)} and 7 others. Look at the log.`],
  ])('are written down again for other words, not for another figure: %s', (between, tail) => {
    const failing = (message: string) => ({
      report: aReport('failed', { differences: 1, message: `${message}${tail}` }),
    })
    const first = after([], { ...failing(`waits 9 ms, ${between}`), at: 1 })
    const again = after(first, { ...failing(`waits 1000 ms, ${between}`), at: 2 })
    expect(again[0]?.message).toContain('1000 ms')
    expect(changesBetween(first, again)).toEqual({ save: [], drop: [] })
    const other = after(again, { ...failing(`hangs 1000 ms, ${between}`), at: 3 })
    expect(changesBetween(first, other).save).toHaveLength(1)
  })
})

it('what is too long is written down again for another end', () => {
  const failing = (end: string) => ({
    report: aReport('failed', { differences: 1, message: `waits ${'x'.repeat(500)} and then ${end}` }),
  })
  const first = after([], { ...failing('Free some space.'), at: 1 })
  const other = after(first, { ...failing('Mount it writable.'), at: 2 })
  expect(changesBetween(first, other).save).toHaveLength(1)
})

describe('an answer', () => {
  const row = (over: Partial<Condition> = {}): Condition => ({
    domain_id: 0,
    component: 'routes',
    status: 'true',
    reason: 'in_sync',
    message: 'm',
    observed_revision: null,
    last_transition_at: 10,
    ...over,
  })
  const ofKey = (rows: readonly Condition[], seen_at: number | null = 1000): KeyConditions => ({
    component: 'routes',
    key: 'routes',
    every_ms: 1000,
    rows,
    caller: null,
    found: null,
    seen_at,
    since: 5,
  })

  it('is stale after three resync periods, at least a minute', () => {
    expect([1000, 30_000].map(stalenessLimit)).toEqual([60_000, 90_000])
  })

  it.each<[string, KeyConditions, number, string]>([
    ['fresh', ofKey([row()]), 61_000, '0 true in_sync since 10'],
    ['older than its limit', ofKey([row()]), 61_001, '0 unknown stale since 61000'],
    [
      'older, and unknown before',
      ofKey([row({ status: 'unknown', reason: 'unreadable' })]),
      99_000,
      '0 unknown stale since 10',
    ],
    [
      'suspended, which is why nobody looks',
      ofKey([row({ status: 'unknown', reason: 'suspended' })], null),
      99_000,
      '0 unknown suspended since 10',
    ],
    ['kept from before the start, and nobody looked yet', ofKey([row()], null), 6, '0 unknown stale since 5'],
    ['never looked at', ofKey([], null), 6, '0 unknown never_looked since 5'],
    ['by a clock that stepped back', ofKey([row()]), 1, '0 true in_sync since 10'],
    [
      'the worst of its domains, since the oldest of those',
      ofKey([
        row(),
        row({ domain_id: 1, status: 'false', reason: 'drifting', last_transition_at: 30 }),
        row({ domain_id: 2, status: 'false', reason: 'contested', last_transition_at: 20 }),
        row({ domain_id: 3, last_transition_at: 1 }),
      ]),
      2000,
      '0 false contested since 20',
    ],
  ])('about a component that is %s', (_name, given, now, expected) => {
    expect(brief([componentCondition(given, now)])).toEqual([expected])
  })

  it.each<[string, KeyConditions, boolean, string]>([
    ['shares the component’s', ofKey([row()]), false, '1 true in_sync since 10'],
    ['waits for a deploy', ofKey([row()]), true, '1 true pending_deploy since 10'],
    [
      'has trouble of its own, whatever waits',
      ofKey([row(), row({ domain_id: 1, status: 'false', reason: 'drifting', last_transition_at: 30 })]),
      true,
      '1 false drifting since 30',
    ],
    [
      'shares trouble, whatever waits',
      ofKey([row({ status: 'false', reason: 'failing' })]),
      true,
      '1 false failing since 10',
    ],
  ])('about a domain that %s', (_name, given, pending, expected) => {
    const found = domainCondition(given, { domain_id: 1, released_revision: 3, pending }, 2000)
    expect(brief([found])).toEqual([expected])
    expect(found.observed_revision).toBe(3)
  })

  it('lists the domains whose condition is another, and no more', () => {
    const rows = [
      row(),
      row({ domain_id: 1, status: 'false', reason: 'drifting' }),
      row({ domain_id: 2, last_transition_at: 40 }),
    ]
    const pending = [{ domain_id: 9, released_revision: null }]
    expect(brief(differingConditions(ofKey(rows), pending, 2000))).toEqual([
      '1 false drifting since 10',
      '9 true pending_deploy since 10',
    ])
    expect(brief(differingConditions(ofKey(rows), pending, 99_000))).toEqual([])
  })
})

describe('the index', () => {
  const stored = async (store: Store) => brief(await store.conditions())

  it('writes at the first pass, and an idle installation nothing more', async () => {
    await using rig = await openRig({ target: { every_ms: 20 } })
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    await rig.engine.conditions()
    expect(await rig.store.conditions()).toMatchObject([
      { component: 'fake', status: 'true', reason: 'in_sync' },
    ])
    const writes = countWrites(rig.store)
    const [first] = await rig.engine.conditions()
    await expect
      .poll(async () => (await rig.engine.conditions())[0]!.seen_at! - first!.seen_at!)
      .toBeGreaterThan(100)
    await rig.engine.converge('open')
    await rig.engine.conditions()
    expect(writes.count).toBe(0)
  })

  it('writes once for drift that stays, and looks only once to explain it', async () => {
    await using rig = await openRig({ mode: 'observe', target: { every_ms: 20 } })
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    rig.world.content = 'edited by hand'
    rig.world.hint()
    await expect.poll(async () => (await rig.store.conditions())[0]?.reason).toBe('drifting')
    await rig.engine.conditions()
    const writes = countWrites(rig.store)
    const [kept] = await stored(rig.store)
    const { looks } = rig.world
    let passes = 0
    rig.engine.onReport(() => passes++)
    await expect.poll(() => passes).toBeGreaterThan(5)
    expect(writes.count).toBe(0)
    // One look may belong to a pass that has begun and not yet reported, or have ended before we counted.
    expect(rig.world.looks - looks).toBeLessThanOrEqual(passes + 1)
    expect(await stored(rig.store)).toEqual([kept])
  })

  it('keeps what it knew over a restart, with the time of the transition', async () => {
    await using first = await openRig({ started: false })
    await first.release('app.example.com', 80)
    await first.engine.converge('open')
    await first.engine.conditions()
    const kept = await first.store.conditions()
    await using second = await first.restart({ started: false })
    expect((await second.engine.conditions())[0]?.rows).toEqual(kept)
    await second.engine.converge('open')
    expect((await second.engine.conditions())[0]?.rows).toEqual(kept)
  })

  it('never breaks a pass when the store will not take it, tells it all the same, and writes it later', async () => {
    await using rig = await openRig({ started: false })
    await rig.release('app.example.com', 80)
    const save = breakConditions(rig.store)
    const [report] = await rig.engine.converge('open')
    expect(report?.outcome).toBe('repaired')
    expect((await rig.engine.conditions())[0]?.rows).toMatchObject([{ status: 'true' }])
    expect(await rig.store.conditions()).toEqual([])
    save.works = true
    await rig.engine.converge('open')
    await rig.engine.conditions()
    expect(await rig.store.conditions()).toMatchObject([{ status: 'true' }])
  })

  it('ends with the engine, also in the middle of a look that hangs', async () => {
    await using rig = await openRig({ mode: 'observe', started: false })
    await rig.release('app.example.com', 80)
    await rig.engine.converge('open')
    rig.world.content = 'edited by hand'
    const hang = () => (rig.world.look = 'hangs')
    rig.engine.onReport(hang)
    rig.engine.start()
    await expect.poll(() => rig.engine.lastReports()[0]?.outcome).toBe('left_drifting')
    await rig.engine.stop(20)
    expect(await rig.store.openSteps()).toEqual([])
  })
})

/** Counts transactions from now on. */
function countWrites(store: Store): { count: number } {
  const writes = { count: 0 }
  const write = store.write.bind(store)
  store.write = (work) => {
    writes.count++
    return write(work)
  }
  return writes
}

/** The store refuses to keep conditions until it `works`. */
function breakConditions(store: Store): { works: boolean } {
  const save = { works: false }
  const write = store.write.bind(store)
  store.write = (work) =>
    write((tx) =>
      work({
        ...tx,
        saveConditions: (rows) =>
          save.works ? tx.saveConditions(rows) : Promise.reject(new Error('the store is full')),
      }),
    )
  return save
}
