/** What the pages of the console decide without a browser: lamps, ages, the filter language, order, differences, words. */
import { describe, expect, it } from 'vitest'
import { someFields } from '../fixtures.ts'
import { agedHealth, endOfSeen } from '../../src/ui/model/aged.ts'
import { ageText, agoText, threadLeft, tookText, untilText } from '../../src/ui/model/ages.ts'
import { COMPONENTS } from '../../src/model/component.ts'
import type { ControlPlaneHealth, Domain, HealthComponent } from '../../src/ui/api/types.ts'
import { draftOf, editsOf, movedFields, retagged, updateOf } from '../../src/ui/model/draft.ts'
import { filtered, parseFilter, withoutTerm, type FilterRow } from '../../src/ui/model/filter.ts'
import { changedSpan, diffParts } from '../../src/ui/model/hunks.ts'
import {
  driftCount,
  lampOfHealth,
  lampOfRule,
  lampOfLetter,
  lampOfReason,
  worstOf,
  type Lamp,
} from '../../src/ui/model/lamps.ts'
import { auditText } from '../../src/ui/model/audit-words.ts'
import { copyDraft, emptyDraft, newBody } from '../../src/ui/model/new-domain.ts'
import { nextText } from '../../src/ui/model/next-words.ts'
import { resultText } from '../../src/ui/model/plan-words.ts'
import { notesOf } from '../../src/ui/model/restore-words.ts'
import { driftTotal, followsHands, rowsThatFollow } from '../../src/ui/model/text/follows.ts'
import { firstOther, releaseBefore, thenText } from '../../src/ui/model/text/then-words.ts'
import {
  bandWords,
  repairsForNow,
  overStanding,
  resumeText,
  scopeOfPath,
  setAtOf,
} from '../../src/ui/model/text/modes.ts'
import { againText, resumedLines, resumeWords } from '../../src/ui/model/text/resume-words.ts'
import { movedLines } from '../../src/ui/model/sides.ts'
import { nextSort, parseSort, sorted, sortText } from '../../src/ui/model/sort.ts'
import { parseTarget } from '../../src/ui/model/target.ts'
import { headlineText, needsOf, outsideSentence, plumbOf } from '../../src/ui/model/verdict.ts'
import { breakParts, splitName, visible, visibleLines } from '../../src/ui/model/visible.ts'
import { causeTitle, componentWords, count, fieldValue, listed } from '../../src/ui/model/words.ts'

describe('lamps', () => {
  it('are never green for what is stale, not found out, or not known to this version', () => {
    const seen = { configured: true, ok: true, drift: false, reason: 'in_sync', stale: false }
    expect(lampOfHealth(seen)).toBe('ok')
    expect(lampOfHealth({ ...seen, stale: true })).toBe('unknown')
    expect(lampOfHealth({ ...seen, drift: null })).toBe('unknown')
    expect(lampOfHealth({ ...seen, ok: false })).toBe('drift')
    expect(lampOfHealth({ ...seen, configured: false })).toBe('off')
    expect(lampOfReason('of_a_later_version')).toBe('unknown')
    expect('opmdxu-?'.split('').map(lampOfLetter)).toEqual([
      'ok',
      'pending',
      'moving',
      'drift',
      'bad',
      'unknown',
      'off',
      'unknown',
    ])
    expect(worstOf(['ok', 'unknown', 'drift'])).toBe('drift')
    expect(worstOf([])).toBe('off')
  })

  it('the number at Drift is that of the differences there: what waits for a deploy is none', () => {
    expect(driftCount({ edited: 2, pending_deploy: 5, renderer_changed: 1 })).toBe(2)
    expect(driftCount({})).toBe(1)
  })

  it('move the plumb by what differs, three marks at most, and break its string when all is stale', () => {
    const row = (reason: string, stale = false) =>
      ({
        kind: 'kept',
        configured: true,
        ok: true,
        drift: false,
        reason,
        stale,
        causes: {},
        cause: null,
      }) as never
    expect(plumbOf({ components: [row('in_sync')] })).toMatchObject({ marks: 0, stale: false })
    expect(plumbOf({ components: Array.from({ length: 5 }, () => row('drifting')) }).marks).toBe(3)
    expect(plumbOf({ components: [row('in_sync', true)] })).toMatchObject({ marks: 1, stale: true })
    expect(outsideSentence({ components: [row('unreadable')] })).toBe(
      'What could not be found out may be noticed outside.',
    )
    const touched = { component: 'sso', cause: 'edited', causes: { edited: 1 } }
    expect(outsideSentence({ components: [{ ...touched } as unknown as HealthComponent] })).toBe(
      'Somebody changed by hand who has to sign in.',
    )
    const refused = (component: string) =>
      outsideSentence({
        components: [{ component, cause: 'rejected', causes: {} } as unknown as HealthComponent],
      })
    expect(refused('routes')).toBe('The proxy refuses a route.')
    expect(refused('certificates')).toBe('A certificate could not be obtained.')
  })

  it('names the first two in the headline, and counts all others', () => {
    const told = (right: number, ...wrong: readonly (readonly [string, string])[]) =>
      headlineText({
        things: { right, all: 9 },
        wrong: wrong.map(([name, cause]) => ({ name, cause })),
        components: [],
      })
    const six = ['c', 'd', 'e', 'f'].map((name) => [`dns:${name}.example`, 'edited'] as const)
    expect(told(3, ['sso', 'edited'], ['certificates-file', 'lost'], ...six)).toBe(
      '3 of 9 things are as they should be; Sign-in rules: edited by hand, Certificates file: gone and 4 more.',
    )
    expect(told(8, ['dns:home.example', 'foreign_owner'])).toBe(
      '8 of 9 things are as they should be; DNS home.example: somebody else’s.',
    )
    expect(told(8, ['one_release', 'does not hold'])).toBe(
      '8 of 9 things are as they should be; One release: does not hold.',
    )
    expect(told(9)).toBe('All 9 things are as they should be.')
  })

  it('says of what needs somebody which domains differ, and why', () => {
    const part = {
      component: 'routes',
      kind: 'kept',
      name: 'routes',
      configured: true,
      ok: false,
      drift: true,
      acts: [],
    }
    const differing = (domains: readonly string[], cause: string) => ({
      item: 'x',
      cause,
      domains,
      detail: '',
    })
    const message = 'What is said of each tells why.'
    const differences = [
      differing(['a.example'], 'edited'),
      differing(['b.example'], 'pending_deploy'),
      differing(['c.example'], 'lost'),
    ]
    const textOf = (more: object) => {
      const row = { ...part, stale: false, message, differences, ...more }
      return needsOf([], [row as unknown as HealthComponent])[0]?.text
    }
    const each = 'a.example: edited by hand; c.example: gone.'
    expect(textOf({ reason: 'drifting' })).toBe(each)
    expect(textOf({ reason: 'refused', of_some: true })).toBe(each)
    // It has a reason for all of them, or is none of what is kept.
    expect(textOf({ reason: 'refused' })).toBe(message)
    expect(textOf({ reason: 'drifting', kind: 'dependency' })).toBe(message)
  })

  it('what nobody has looked at again is one line, and what was wrong before stays its own', () => {
    const row = (name: string, reason: string) =>
      ({
        name,
        component: name,
        configured: true,
        ok: reason === 'in_sync',
        drift: reason !== 'in_sync',
        stale: true,
        reason,
        message: 'It is what was released.',
        differences: [],
        acts: [],
      }) as unknown as HealthComponent
    const needs = needsOf([], [row('routes', 'drifting'), row('dns', 'in_sync'), row('journal', 'in_sync')])
    expect(needs.map(({ id, text }) => [id, text])).toEqual([
      ['routes', 'It is what was released.'],
      ['unseen', 'DNS and Journal: as they should be when they were seen last.'],
    ])
    expect(needs[1]!.acts.map(({ id, confirm }) => [id, confirm])).toEqual([['look', 'none']])
    // One alone is said as it is.
    expect(needsOf([], [row('dns', 'in_sync')]).map(({ id }) => id)).toEqual(['dns'])
  })

  it('has words for every part that is kept', () => {
    expect(COMPONENTS.map((name) => componentWords(name).title)).toEqual([
      'DNS',
      'Certificates',
      'Certificates file',
      'People',
      'Sign-in rules',
      'Routes',
      'Sign-in at each route',
      'SSH gateway',
      'Alerting',
      'SSH targets',
    ])
    expect(componentWords('cert:a.example')).toEqual({ title: 'Certificate', detail: 'a.example' })
  })
})

describe('ages', () => {
  it.each([
    [0, 'now'],
    [14_000, '14 s'],
    [12 * 60_000, '12 min'],
    [5 * 3_600_000, '5 h'],
    [9 * 86_400_000, '9 d'],
  ])('%i ms is %s', (ms, text) => expect(ageText(1_000_000_000_000 - ms, 1_000_000_000_000)).toBe(text))

  it('turn into a date, say when, and shorten a thread until it is used up', () => {
    const now = Date.parse('2026-11-27T00:00:00Z')
    expect(agoText(Date.parse('2026-01-02T00:00:00Z'), now)).toBe('on 2026-01-02')
    expect(agoText(now + 500, now)).toBe('now')
    expect(untilText(now + 41 * 60_000, now)).toBe('in 41 min')
    expect(untilText(now - 1, now)).toBe('now')
    expect(threadLeft(0, 100, 25)).toBe(0.75)
    expect(threadLeft(0, 100, 500)).toBe(0)
    expect(threadLeft(0, null, 500)).toBeNull()
    expect([9, 1400, 120_000].map(tookText)).toEqual(['9 ms', '1.4 s', '2 min'])
  })
})

const row = (domain: string, more: Partial<FilterRow> = {}): FilterRow => ({
  id: domain.length,
  domain,
  domain_unicode: domain,
  target: '10.20.0.5:80',
  kind: 'http',
  status: 'active',
  environment: 'production',
  tags: [],
  note: '',
  open: false,
  pending: false,
  updated_at: 0,
  lamps: ['ok', 'ok', 'ok', 'ok', 'ok'],
  certificate_days: null,
  ...more,
})

it('the rules of the database are one of the things that the overview lists, as its headline counts them', () => {
  const of = (...holds: readonly (boolean | null)[]) =>
    worstOf(holds.map((one) => lampOfRule({ holds: one })))
  expect([of(true, true), of(true, null), of(null, false)]).toEqual(['ok', 'unknown', 'bad'])
})

describe('the filter language', () => {
  const rows = [
    row('git.home.example', { tags: ['dev'], lamps: ['drift'] as Lamp[] }),
    row('constructor.example.com', { open: true, note: '<b>old</b>', certificate_days: 9 }),
    row('wiki.home.example', { pending: true, target: '192.168.1.9:80', status: 'inactive' }),
  ]
  const names = (text: string) => filtered(rows, parseFilter(text)).map(({ domain }) => domain.split('.')[0])

  it.each([
    ['', ['git', 'constructor', 'wiki']],
    ['HOME', ['git', 'wiki']],
    ['-home', ['constructor']],
    ['<b>old', ['constructor']],
    ['tag:dev', ['git']],
    ['zone:home.example -tag:dev', ['wiki']],
    ['is:drift', ['git']],
    ['is:pending', ['wiki']],
    ['is:open', ['constructor']],
    ['not:protected', ['constructor']],
    ['-is:inactive', ['git', 'constructor']],
    ['target:10.20.0.0/24', ['git', 'constructor']],
    ['target:192.168', ['wiki']],
    ['cert:<14d', ['constructor']],
    ['is:nothing', []],
    ['constructor', ['constructor']],
    ['__proto__:x', []],
  ])('%s', (text, expected) => expect(names(text)).toEqual(expected))

  it('finds an internationalised name as people read it, and as it counts', () => {
    const one = row('xn--bcher-kva.example', { domain_unicode: 'bücher.example' })
    for (const text of ['bücher', 'xn--bcher', 'zone:bücher.example'])
      expect(filtered([one], parseFilter(text)), text).toHaveLength(1)
  })

  it('names what it cannot read, and takes one term out again', () => {
    expect(parseFilter('is:nothing')[0]!.fault).toContain('is:nothing is not known')
    const [first] = parseFilter('tag:dev  "two words" is:open')
    expect(withoutTerm('tag:dev  "two words" is:open', first!)).toBe('"two words" is:open')
  })

  it('orders by a column and turns it around, and falls back to names', () => {
    expect(parseSort('constructor')).toEqual({ column: 'name', down: false })
    expect(sortText(nextSort(parseSort('name'), 'name'))).toBe('-name')
    expect(sorted(rows, parseSort('lamps')).map(({ domain }) => domain.split('.')[0])).toEqual([
      'git',
      'constructor',
      'wiki',
    ])
    expect(sorted([row('a10.x'), row('a9.x')], parseSort(null)).map(({ domain }) => domain)).toEqual([
      'a9.x',
      'a10.x',
    ])
  })
})

describe('differences', () => {
  const UNIFIED = [
    '--- a',
    '+++ b',
    '@@ -5,1 +5,1 @@',
    '-    "plumbline-generation-316cc1a28e83cbc4":',
    '+    "plumbline-generation-1e77e07c38827942":',
    '@@ -20,3 +20,3 @@',
    ' servers:',
    '-  - url: "http://10.0.0.1:3000"',
    '+  - url: "http://10.0.0.1:3001"',
  ].join('\n')

  it('fold the marker and what did not change, and mark the words that did', () => {
    const [fold, same, del, add] = diffParts(UNIFIED)
    expect(fold).toEqual({ kind: 'fold', text: 'generation marker, 1 lines · 14 lines unchanged' })
    expect(same).toMatchObject({ kind: 'same', left: 20, right: 20 })
    expect(del).toMatchObject({ kind: 'del', left: 21, right: null })
    expect(add).toMatchObject({ kind: 'add', left: null, right: 21 })
    const [before, after] = changedSpan('port: 3000', 'port: 3001')
    expect([before, after]).toEqual([[[6, 10]], [[6, 10]]])
  })

  it('show of long texts only the lines that are not in all three', () => {
    const text = (port: number) => `a:\n  b:\n    port: ${port}\n`
    expect(movedLines([text(1), text(1), text(2)])).toEqual(['port: 1', 'port: 1', 'port: 2'])
    expect(movedLines(['one', null, 'two'])).toEqual(['one', null, 'two'])
    // A line that was taken out is not there, whatever stands around it.
    const whole = 'a:\n  - x\n  - y'
    expect(movedLines([whole, whole, 'a:\n  - x'])).toEqual(['- y', '- y', null])
  })
})

describe('words', () => {
  it('show what would not be seen, and leave markup as text', () => {
    expect(visible('a\u202eb\u200bc\u0000')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+0000⟩')
    expect(visible('<img src=x> *.über.example')).toBe('<img src=x> *.über.example')
    expect(visible('a\nb')).toBe('a⟨U+000A⟩b')
    expect(visibleLines('a\n\u200fb')).toBe('a\n⟨U+200F⟩b')
    expect(splitName('constructor')).toEqual({ host: 'constructor', zone: '' })
  })

  it('have plurals, thin spaces and short lists, and no word of an object’s own', () => {
    expect([count(1, 'domain'), count(10_000, 'domain')]).toEqual(['1 domain', '10\u2009000 domains'])
    expect(listed(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c, and 2 more')
    expect(causeTitle('constructor')).toBe('constructor')
    expect(fieldValue('auth_required', false)).toBe('open to all')
    expect(fieldValue('dns_ttl', 300)).toBe('300 s')
    const items = [
      { item: 'A a.example', detail: 'A a.example is gone' },
      { item: 'router x', detail: 'edited' },
    ]
    expect(fieldValue('items', items)).toBe('A a.example is gone, router x: edited')
  })

  it('read a target as it is typed or pasted', () => {
    expect(parseTarget('http://192.168.1.20:3000/')).toEqual({
      backend_host: '192.168.1.20',
      backend_port: 3000,
      backend_scheme: 'http',
    })
    expect(parseTarget('[fd00::1]:80')).toMatchObject({ backend_host: 'fd00::1', backend_port: 80 })
    expect(parseTarget('https://box.lan')).toMatchObject({ backend_port: 443 })
    expect([parseTarget('box')?.backend_port, parseTarget('a b')]).toEqual([null, null])
  })

  it('take a record apart and put it together again', () => {
    const record = someFields({ domain: 'a.example', backend_host: 'x', backend_port: 80, tags: ['a'] })
    const draft = draftOf(record as never)
    expect(updateOf(record as never, draft)).toEqual(record)
    const typed = { ...draft, backend_port: '3001', tags: 'a, b' }
    expect(movedFields(draft, typed)).toEqual(['backend_port', 'tags'])
    expect(updateOf(record as never, typed)).toMatchObject({ backend_port: 3001, tags: ['a', 'b'] })
    expect(updateOf(record as never, { ...draft, backend_port: '80x' })).toMatchObject({
      backend_port: '80x',
    })
  })
})

describe('what is not seen again in time', () => {
  const row = { configured: true, stale: false, stale_after: '2026-11-27T04:00:00Z' }
  const end = Date.parse(row.stale_after)
  const health = {
    things: { right: 2, all: 2 },
    wrong: [],
    components: [row, { ...row, stale_after: null }],
    invariants: [{ holds: true }, { holds: false }],
  } as unknown as ControlPlaneHealth

  it('is unknown from that moment on, and the sentence says so', () => {
    expect(agedHealth(health, end - 1)).toBe(health)
    expect(agedHealth(health, end)).toMatchObject({
      aged: 1,
      components: [{ stale: true }, { stale: false }],
      invariants: [{ holds: null }, { holds: false }],
    })
    // Nothing is said to be well that nobody has seen again.
    expect(headlineText({ ...health, aged: 1 })).toBe(
      '1 thing not seen again in time. Before: All 2 things are as they should be.',
    )
  })

  it('is asked for before, and never where nothing becomes stale', () => {
    expect(endOfSeen([row, { ...row, stale_after: null }], end - 1)).toBe(end)
    expect(endOfSeen([row], end)).toBe(null)
    expect(endOfSeen([{ ...row, configured: false }], end - 1)).toBe(null)
  })
})

describe('what the reconciler does next', () => {
  const row = {
    mode: 'repair',
    reason: 'drifting',
    next_attempt_at: '2026-01-31T12:00:04.000Z',
    suspended_until: null,
  } as const
  const now = Date.parse('2026-01-31T12:00:00.000Z')
  const repair = [{ id: 'repair', why_not: null }] as never

  it.each([
    ['edited', repair, row, 'put back by itself in 4 s.'],
    ['not_loaded', [], row, 'looked at again in 4 s, and nothing is written.'],
    [
      'edited',
      repair,
      { ...row, reason: 'contested' },
      'nothing, until an hour after their last change, or a deploy.',
    ],
    ['edited', repair, { ...row, mode: 'observe' }, 'nothing by itself, it is only observed.'],
    [
      'edited',
      repair,
      { ...row, mode: 'suspend', suspended_until: '2026-01-31T12:50:00.000Z' },
      'nothing, it is suspended for another 50 min.',
    ],
    ['edited', repair, undefined, null],
    ['foreign_owner', [], undefined, 'never touched without you.'],
  ] as const)('of %s is said with its time and its mode', (cause, acts, of, said) => {
    expect(nextText({ cause, acts }, of, now)).toBe(said)
  })
})

describe('one change of many', () => {
  const record = (id: number, fields: object) =>
    ({
      id,
      revision: 7,
      domain: 'a.home.example',
      backend_host: '10.0.0.1',
      backend_port: 80,
      middleware_config: { extra_middlewares: [] },
      tags: [],
      auth_required: true,
      ...fields,
    }) as unknown as Domain

  it('takes of each what moves in it, and leaves out what is so already', () => {
    const records = [record(1, {}), record(2, { auth_required: false })]
    expect(editsOf(records, (draft) => ({ ...draft, auth_required: 'no' }))).toEqual([
      { id: 1, revision: 7, set: { auth_required: false } },
    ])
  })

  it('adds tags and takes some away', () => {
    const tagged = [record(1, { tags: ['docs', 'old'] })]
    expect(editsOf(tagged, (draft) => retagged(draft, ['media', 'docs'], ['old']))).toEqual([
      { id: 1, revision: 7, set: { tags: ['docs', 'media'] } },
    ])
  })
})

describe('a new domain', () => {
  const typed = emptyDraft('Notes.home.example', 'http://192.168.1.20:3000/')

  it('is said with what was typed alone', () => {
    expect(newBody(typed, null)).toEqual({
      domain: 'notes.home.example',
      service_type: 'http',
      backend_host: '192.168.1.20',
      backend_port: 3000,
      backend_scheme: 'http',
      auth_required: true,
    })
    const more = { ...typed.more, dns_ttl: '120', tags: 'media docs' }
    expect(newBody({ ...typed, more }, null)).toMatchObject({ dns_ttl: 120, tags: ['media', 'docs'] })
    expect(newBody(emptyDraft('notes', '192.168.1.20:3000'), null)).toBeNull()
    expect(newBody(emptyDraft('notes.home.example', '192.168.1.20'), null)).toBeNull()
  })

  it('begins as a copy with all but the name, also of what no field shows', () => {
    const from = {
      domain: 'old.home.example',
      service_type: 'http',
      environment: 'production',
      backend_host: 'fd00::1',
      backend_port: 8080,
      backend_scheme: 'https',
      cors_enabled: true,
      middleware_config: { extra_middlewares: ['gzip'] },
      tags: [],
      auth_required: false,
      dns_ttl: null,
    } as unknown as Domain
    const copy = copyDraft(from)
    expect(copy.target).toBe('https://[fd00::1]:8080')
    expect(newBody({ ...copy, name: 'new.home.example' }, from)).toMatchObject({
      domain: 'new.home.example',
      backend_host: 'fd00::1',
      backend_scheme: 'https',
      cors_enabled: true,
      auth_required: false,
      middleware_config: { extra_middlewares: ['gzip'] },
    })
  })
})

describe('the trail', () => {
  it('says of a mode what was set to what', () => {
    const entry = { actor: 'sso:ana', action: 'set_mode', domain: null }
    const told = (scope: string) => auditText({ ...entry, detail: { scope, mode: 'observe' } })
    expect([told('*'), told('dns:home.example')]).toEqual([
      'ana set everything to observe',
      'ana set DNS home.example to observe',
    ])
    const detail = { scope: '*', ended: 'suspend', mode: 'observe' }
    expect(auditText({ ...entry, action: 'end_mode', detail })).toBe(
      'ana ended suspend of everything, which is at observe again',
    )
    const failed = { actor: 'session:1f3c', domain: null, detail: { component: null, reason: 'why' } }
    expect(auditText({ ...failed, action: 'reconcile_failed' })).toMatch(
      /could not finish a repair of everything$/,
    )
    expect(auditText({ ...failed, action: 'deploy_failed', domain: 'a.example' })).toMatch(
      /could not finish the deploy of a\.example$/,
    )
    const undone = {
      actor: 'reconciler',
      action: 'undo_edit',
      domain: null,
      detail: { component: 'certificates-file' },
    }
    expect(auditText(undone)).toBe('reconciler put back Certificates file by itself')
    expect(auditText({ ...undone, detail: { ...undone.detail, asked: true } })).toBe(
      'reconciler put back Certificates file, as it was asked to',
    )
    expect(auditText({ ...undone, actor: 'session:1f3c' })).toMatch(
      /put back Certificates file through Plumbline$/,
    )
  })
})

it('a restore says what it leaves out, takes out of service and makes again; any other answer says nothing of it', () => {
  const answer = {
    skipped: [{ domain: 'a.example', reason: 'The name is taken.' }],
    deactivated: [{ domain: 'b.example' }],
    created: [{ domain: 'c.example' }],
  }
  expect(notesOf(answer)).toEqual([
    'a.example stays as it is: The name is taken.',
    'b.example is taken out of service: it was not live then.',
    'c.example is made again: it was deleted since.',
  ])
  expect(notesOf({ plan: {} })).toEqual([])
})

describe('a plan that writes two files', () => {
  it('shows each path over its lines, and no head of a file as a line', () => {
    const unified = [
      '--- /etc/a.yml\ton disk',
      '+++ /etc/a.yml\twith this plan',
      '@@ -1,2 +1,2 @@',
      ' a',
      '-b',
      '+c',
      '--- /etc/b.yml\ton disk',
      '+++ /etc/b.yml\twith this plan',
      '@@ -1 +1,2 @@',
      ' x',
      '+--- y',
      '',
    ].join('\n')
    expect(diffParts(unified).map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'fold /etc/a.yml',
      'same a',
      'del b',
      'add c',
      'fold /etc/b.yml',
      'same x',
      'add --- y',
    ])
  })
})

describe('resuming the automatic repair', () => {
  const row = (name: string, component: string, causes: Record<string, number> = {}) =>
    ({
      name,
      component,
      kind: 'kept',
      configured: true,
      ok: false,
      drift: Object.keys(causes).length > 0,
      reason: Object.keys(causes).length > 0 ? 'drifting' : 'in_sync',
      stale: false,
      causes,
    }) as never as HealthComponent
  const rows = [row('routes', 'routes', { edited: 1 }), row('dns:home.example', 'dns', { lost: 2 })]
  const setting = { scope: '*', mode: 'observe', expired: false } as const

  it('says for which worlds it is, and how many differences are put back at once', () => {
    expect(resumeWords('*', rows, [setting])).toEqual({
      worlds: 'everything: Routes and DNS',
      writes: '3 differences are put back at once: Routes and DNS home.example.',
    })
    expect(resumeWords('dns', rows, [{ ...setting, scope: 'dns' }]).writes).toBe(
      '2 differences are put back at once: DNS home.example.',
    )
    expect(resumeWords('dns', rows, [setting, { ...setting, scope: 'dns' }]).writes).toBe(
      'Nothing of it differs now, so nothing is written at once. Everything stays as set.',
    )
    expect(scopeOfPath('/api/modes/*')).toBe('*')
    expect(scopeOfPath('/api/reconcile')).toBeNull()
  })

  it('says since when, from the trail alone', () => {
    const at = '2026-11-27T08:00:00Z'
    const entry = { action: 'set_mode', at, detail: { scope: '*', mode: 'observe' } }
    expect(setAtOf([entry], setting)).toBe(Date.parse(at))
    expect(setAtOf([entry], { ...setting, scope: 'dns' })).toBeNull()
    expect(setAtOf([{ ...entry, detail: { scope: '*', mode: 'repair' } }], setting)).toBeNull()
    // What stood before a suspension stands again since it was set itself.
    const later = { ...entry, at: '2026-11-27T09:00:00Z', detail: { scope: '*', mode: 'suspend' } }
    expect(setAtOf([later, entry], setting)).toBe(Date.parse(at))
  })

  it('ends only what has an end where something without one stands below, and says what stands again', () => {
    const expires_at = '2026-11-27T10:00:00Z'
    const observed = { mode: 'observe', reason: 'we only watch', actor: 'sso:ana', expires_at: null } as const
    const over = {
      scope: '*',
      mode: 'suspend' as const,
      reason: 'work',
      actor: 'key',
      expired: false,
      expires_at,
      standing: observed,
      below: [observed],
    }
    expect(overStanding([over], '*')).toBe(over)
    expect(resumeText([over], '*')).toBe('Resume observing everything')
    for (const other of [
      { ...over, scope: 'dns' },
      { ...over, expired: true },
      { ...over, below: [] },
      { ...over, below: [{ ...observed, mode: 'repair' as const }] },
    ]) {
      expect(overStanding([other], '*')).toBeUndefined()
      expect(resumeText([other], '*')).toBe('Resume automatic repair of everything')
    }
    expect(againText(over, [over])).toBe('Everything is only observed again from then on.')
    expect(againText({ ...over, scope: 'dns' }, [{ ...over, scope: 'dns' }, setting])).toBe(
      'DNS is only observed again from then on. Everything stays as set.',
    )
  })

  it('a repair for a time over something more careful is told until its end, and it alone is ended', () => {
    const observed = { mode: 'observe', reason: '', actor: 'key', expires_at: null } as const
    const over = {
      scope: 'routes',
      mode: 'repair' as const,
      reason: '',
      actor: 'key',
      expired: false,
      expires_at: '2026-11-27T10:00:00Z',
      standing: observed,
      below: [observed],
    }
    expect(repairsForNow(over)).toBe(true)
    for (const other of [
      { ...over, standing: null },
      { ...over, expired: true },
    ])
      expect(repairsForNow(other)).toBe(false)
    const { state, end } = bandWords(over, 0)
    expect(`${state}${end}`).toMatch(/^Routes: repairs until .*2026.*, then only observes$/)
    expect(resumeText([over], 'routes')).toBe('Resume observing Routes')
    const suspended = { ...observed, mode: 'suspend' as const }
    expect(resumeText([{ ...over, below: [suspended] }], 'routes')).toBe('Resume the suspension of Routes')
    expect(bandWords({ ...over, mode: 'observe', standing: suspended }, 0).end).toMatch(
      / left, then suspended$/,
    )
  })

  it('calls proven only what the daemon says is in force', () => {
    const now = (component: string, mode: string) => ({ component, mode }) as never
    const settings = [{ scope: '*', mode: 'observe', expired: false }] as never
    const of = (...components: never[]) => ({ settings, components })
    expect(resumedLines('*', 'observe', of(now('routes', 'observe'), now('dns', 'suspend')))).toEqual([
      { lamp: 'ok', text: 'Everything is set to be only observed, with no end.' },
      { lamp: 'ok', text: 'In force now, only observed: Routes.' },
      { lamp: 'unknown', text: 'In force now, suspended: DNS.' },
    ])
    expect(resumedLines('*', 'repair', of()).map(({ lamp }) => lamp)).toEqual(['unknown'])
    expect(resumedLines('dns', 'repair', of(now('routes', 'observe'), now('dns', 'observe')))).toEqual([
      { lamp: 'ok', text: 'DNS is set to be put back by itself, with no end.' },
      { lamp: 'unknown', text: 'In force now, only observed: DNS.' },
    ])
  })
})

it('an address breaks at its signs and never within a number; a part is named in words', () => {
  expect(breakParts('http://192.168.1.21:2342/a')).toEqual([
    'http://',
    '192.',
    '168.',
    '1.',
    '21:',
    '2342/',
    'a',
  ])
  expect(resultText('Repaired dns:home.example.')).toBe('Put back: DNS home.example.')
  expect(auditText({ actor: 'key', action: 'create_edge', domain: null })).toBe('key created edge')
})

describe('one record in earlier releases', () => {
  const change = (before: string) => ({
    added: [],
    removed: [],
    changed: [{ domain_id: 7, domain: 'a.home.example', fields: { backend_host: { before, after: '.21' } } }],
  })

  it('says in which it was other than it is released now, and chooses the newest of these', () => {
    expect(thenText(change('.22') as never, 7)).toBe('Host .22')
    expect(thenText(change('.22') as never, 8)).toBeNull()
    const added = { added: [{ domain_id: 7, domain: 'a.home.example' }], removed: [], changed: [] }
    expect(thenText(added, 7)).toBe('not live then')
    expect(
      firstOther(
        new Map([
          [5, null],
          [4, null],
          [3, 'Host .22'],
          [2, 'Host .23'],
        ]),
      ),
    ).toBe(3)
    expect(firstOther(new Map([[5, null]]))).toBeNull()
  })

  it('knows the release that stood before an entry was made', () => {
    const releases = [
      { number: 3, created_at: '2026-11-27T10:00:00Z' },
      { number: 2, created_at: '2026-11-27T08:00:00Z' },
    ]
    expect(releaseBefore({ at: '2026-11-27T09:00:00Z' }, releases)).toBe(2)
    expect(releaseBefore({ at: '2026-11-27T07:00:00Z' }, releases)).toBeNull()
  })
})

describe('what follows from a hand edit of the routes file', () => {
  const found = (item: string, cause: string, domains: readonly string[] = ['a.home.example']) => ({
    item,
    cause,
    domains,
    detail: '',
    noise: false,
  })
  const own = 'http.routers.plumbline-site_a.home.example'
  const routes = { component: 'routes', drift: true, differences: [found(own, 'edited')] }
  const proxy = (item: string) => ({
    component: 'proxy',
    drift: true,
    differences: [found(item, 'shadowed')],
  })

  it('is a router of ours and its sign-in, never a thing that another name or another domain has', () => {
    const follows = followsHands([routes])
    expect(follows('proxy', found(own, 'shadowed'))).toBe('routes')
    expect(follows('proxy', found('http.routers.plumbline-site_b.home.example', 'shadowed'))).toBeNull()
    expect(follows('sso_attachments', found('a', 'access'))).toBe('routes')
    expect(follows('sso_attachments', found('b', 'access', ['b.home.example']))).toBeNull()
    expect(follows('dns', found(own, 'edited'))).toBeNull()
    expect(
      followsHands([{ ...routes, differences: [found(own, 'pending_deploy')] }])(
        'proxy',
        found(own, 'shadowed'),
      ),
    ).toBeNull()
  })

  it('is what reads the sign-in rules or the certificates file, where those were edited', () => {
    const rules = { component: 'sso', differences: [found('a.home.example', 'edited')] }
    const file = { component: 'certificates-file', differences: [found('/certificates.yml', 'edited')] }
    const follows = followsHands([rules, file])
    expect(follows('sso_attachments', found('weaker_policy', 'edited'))).toBe('sso')
    expect(follows('certificates', found('/certificates.yml', 'edited'))).toBe('certificates_file')
    expect(follows('certificates', found('c.home.example', 'failing'))).toBeNull()
    expect(follows('proxy', found(own, 'shadowed'))).toBeNull()
  })

  it('does not stand before that in the headline, and is only counted', () => {
    const row = (part: typeof routes, name = part.component) =>
      ({
        ...part,
        name,
        configured: true,
        ok: false,
        reason: 'drifting',
        cause: 'edited',
        causes: { any: 1 },
      }) as never as HealthComponent
    const things = { right: 7, all: 9 }
    const wrong = [
      { name: 'proxy', cause: 'shadowed' },
      { name: 'routes', cause: 'edited' },
    ]
    expect(headlineText({ things, wrong, components: [row(proxy(own)), row(routes)] })).toBe(
      '7 of 9 things are as they should be; Routes: edited by hand; 1 thing more follows from it.',
    )
    expect(headlineText({ things, wrong, components: [row(routes)] })).toBe(
      '7 of 9 things are as they should be; Proxy: another route takes it, Routes: edited by hand.',
    )
  })

  it('is not counted again, and needs nobody of its own', () => {
    expect(driftTotal([routes, proxy(own)])).toEqual({ total: 1, among: 1 })
    expect(driftTotal([routes, proxy('http.routers.other')])).toEqual({ total: 2, among: 2 })
    const row = (part: typeof routes) =>
      ({ ...part, name: part.component, causes: { any: 1 } }) as never as HealthComponent
    expect([...rowsThatFollow([row(routes), row(proxy(own))])]).toEqual(['proxy'])
    expect([...rowsThatFollow([row(routes), row(proxy('http.routers.other'))])]).toEqual([])
  })
})
