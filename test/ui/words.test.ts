/** What the pages say of changes, editions and presses: sentences without a browser. */
import { describe, expect, it } from 'vitest'
import type { Access, Domain, HealthComponent } from '../../src/ui/api/types.ts'
import { auditText } from '../../src/ui/model/audit-words.ts'
import { accessText, domainRows } from '../../src/ui/model/domain-rows.ts'
import { type FilterRow, parseFilter } from '../../src/ui/model/filter.ts'
import type { Lamp } from '../../src/ui/model/lamps.ts'
import { policyOf } from '../../src/ui/model/kept/access-entry.ts'
import { accessRows, internalOf, openCounts } from '../../src/ui/model/kept/access.ts'
import { planLines, planTitle, resultText } from '../../src/ui/model/plan-words.ts'
import { releaseText } from '../../src/ui/model/text/release-words.ts'
import { commandOf } from '../../src/ui/model/text/command-words.ts'
import {
  accessBetween,
  isSavedReleased,
  neverReleased,
  noneMoved,
  targetBetween,
  waitingText,
} from '../../src/ui/model/text/edition-words.ts'
import { modeWords, unknownText } from '../../src/ui/model/text/headline-words.ts'
import { movedLine } from '../../src/ui/model/text/moved-words.ts'
import { pageOf, pageWords } from '../../src/ui/model/text/page-words.ts'
import { count } from '../../src/ui/model/words.ts'
import { readerText } from '../../src/ui/model/text/reader-words.ts'
import { movedBy } from '../../src/ui/model/text/then-words.ts'
import { writesMore } from '../../src/ui/model/text/writes-more.ts'
import { needsOf } from '../../src/ui/model/verdict.ts'

it('who may only look is told why by the way in which they came', () => {
  expect(readerText({ way: 'key', groups: [] })).toMatch(/the key .* may only look/)
  expect(readerText({ way: 'sso', groups: ['family'] })).toContain('your groups are family')
  expect(readerText({ way: 'sso', groups: [] })).toContain('no group')
})

const RECORD = {
  service_type: 'http',
  status: 'active',
  protocol: 'http',
  backend_host: '192.168.1.21',
  backend_port: 2343,
  auth_required: false,
  auth_applies: true,
} as unknown as Domain

describe('a record between its editions', () => {
  it('is shown as it runs beside as it is saved', () => {
    const released = { backend_port: 2342, auth_required: true }
    expect(targetBetween(RECORD, released)).toEqual({ runs: '192.168.1.21:2342', saved: '192.168.1.21:2343' })
    expect(accessBetween(RECORD, released)).toEqual({ runs: 'signed in', saved: 'open to all' })
    expect(targetBetween(RECORD, { backend_port: 2343 }).runs).toBeNull()
    expect(targetBetween(RECORD, null).runs).toBeNull()
  })

  it('was never released: nothing of it is the same as what is live, and its page says so', () => {
    const never = { pending: false, released: null }
    expect(isSavedReleased(never)).toBe(false)
    expect(neverReleased({ ...RECORD, status: 'inactive' }, never)).toMatch(/^It was never activated/)
    expect(neverReleased(RECORD, never)).toMatch(/^It was never deployed/)
    expect(neverReleased({ ...RECORD, service_type: 'manual' }, never)).toBeNull()
    const released = { release: 4 } as never
    expect(isSavedReleased({ pending: false, released })).toBe(true)
    expect(neverReleased(RECORD, { released })).toBeNull()
    expect(waitingText({ pending: true, released })).toMatch(/Until then release 4 is kept true\.$/)
    expect(waitingText({ pending: false, released })).toBeNull()
  })
})

it('an entry says in one line what it moved, first what lets in more', () => {
  const moved = (before: unknown, after: unknown) => ({ before, after })
  expect(movedLine({ backend_host: moved('.22', '.99'), auth_required: moved(true, false) })).toEqual({
    text: 'Sign-in required → open to all, Host .22 → .99',
    opens: true,
  })
  expect(movedLine({ auth_required: moved(false, true) })?.opens).toBe(false)
  expect(movedLine({ service_type: moved('internal', 'http') })?.opens).toBe(true)
  expect(movedLine({ release: 4 })).toBeNull()
  const many = Object.fromEntries(
    ['tags', 'note', 'domain', 'backend_port'].map((one) => [one, moved('a', 'b')]),
  )
  expect(movedLine(many)?.text).toMatch(/, 1 more$/)
})

describe('the headline', () => {
  it('counts the names of which nothing is known', () => {
    const [term] = parseFilter('cert:unknown')
    const lamps = (certificate: Lamp) =>
      ({ lamps: ['unknown', 'ok', certificate, 'off', 'ok'] }) as unknown as FilterRow
    expect([term!.matches(lamps('unknown')), term!.matches(lamps('ok'))]).toEqual([true, false])
    expect(unknownText(4)).toBe('What 4 names serve as a certificate is not known.')
    expect(unknownText(1)).toBe('What 1 name serves as a certificate is not known.')
    expect(unknownText(0)).toBeNull()
  })

  it('says what is not put back, since when and by whom', () => {
    const row = (component: string, mode: string) =>
      ({ kind: 'kept', configured: true, component, mode }) as unknown as HealthComponent
    const all = [row('routes', 'observe'), row('dns', 'observe')]
    const setting = { scope: '*', mode: 'observe' as const, actor: 'sso:ana', expired: false }
    const at = '2026-11-27T08:00:00Z'
    const entry = { action: 'set_mode', at, detail: { scope: '*', mode: 'observe' } }
    expect(modeWords(all, [setting], [entry])).toEqual({
      text: 'Hand edits are not put back while everything is only observed',
      since: Date.parse(at),
      actor: 'ana',
    })
    expect(modeWords([row('routes', 'suspend'), row('dns', 'repair')], [])?.text).toBe(
      'Hand edits of Routes are not put back while that is suspended',
    )
    expect(modeWords([row('routes', 'repair')], [])).toBeNull()
  })
})

describe('what helps', () => {
  it('is a page and no address of the API, where a page shows it', () => {
    expect(pageWords('Deactivate the domain now; GET /api/sso/drift says why it is open.')).toBe(
      'Deactivate the domain now; the page Access says why it is open.',
    )
    expect(pageWords('GET /api/domains/{id}/explain says how it differs.')).toBe(
      'The page of the domain says how it differs.',
    )
    expect(pageWords('See GET /api/dns/integrity.')).toBe('See the page DNS.')
    expect(pageWords('See whether it runs; "plumbline edges offline fra1" takes it out.')).toBe(
      'See whether it runs; Take it out, on the page Edges, ends the alert.',
    )
    expect(pageWords('"plumbline certificates" shows why; "certificates reconcile --retry" tries now.')).toBe(
      'The page Certificates shows why; Obtain now tries now.',
    )
    expect(pageWords('Type plumbline deploy.')).toBe('Type plumbline deploy.')
    expect(pageOf('edges')?.address).toBe('/edges')
    expect(pageOf('cert:a.example')?.title).toBe('Certificates')
    expect(pageOf('dns:example.com')).toBeNull()
    // None of these stands on Drift.
    expect(
      ['proxmox:home', 'unifi:house', 'vpn:gw', 'docker:hub', 'database'].map((one) => pageOf(one)?.address),
    ).toEqual(['/inventory', '/lan', '/vpn', '/discover', '/system'])
    expect(pageWords('POST /api/email/refresh-token then tries it.')).toMatch(/^POST/)
  })

  it('is to put the routes back, where a hand edit of them is the cause', () => {
    const alert = {
      id: 'a',
      severity: 'critical',
      component: 'sso_routes',
      key: 'sso_routes',
      domains: ['a.home.example'],
      message: 'It stands open.',
      remedy: 'Deactivate the domain now.',
      acts: [],
    }
    const edited = { item: 'r', cause: 'edited', domains: ['a.home.example'], detail: '', noise: false }
    const routes = {
      component: 'routes',
      name: 'routes',
      configured: true,
      differences: [edited],
      causes: {},
    }
    const rows = [
      { ...routes, message: 'edited', reason: 'drifting', acts: [] },
    ] as unknown as HealthComponent[]
    expect(needsOf([alert], rows)[0]?.text).toMatch(/put Routes back first/)
    expect(needsOf([{ ...alert, domains: ['b.home.example'] }], rows)[0]?.text).toBe(alert.remedy)
    // What comes of one hand edit is one line, with what the world that was edited offers.
    const message = 'It stands open. Deactivate it, or see GET /api/sso/drift for the reason.'
    const two = ['1', '2'].map((id) => ({ ...alert, id, component: 'sso-proof', message }))
    const put_back = [{ id: 'repair', label: 'Put back' }]
    const needs = needsOf(two, [{ ...rows[0]!, acts: put_back as never }])
    expect(needs.map(({ component }) => component)).toEqual(['routes', 'routes'])
    expect(needs[0]).toMatchObject({ title: 'It stands open.', acts: put_back })
    expect(needs[0]?.text).toMatch(/^The same is so of a\.home\.example\. It follows/)
  })
})

describe('a press', () => {
  const repair = { id: 'repair', label: 'Put back', body: { component: 'dns:home.example' } } as const

  it('that writes more than its card says so', () => {
    expect(writesMore([repair], 2)).toBe(
      'Put back writes all that differs in DNS home.example: this and 1 other.',
    )
    expect(writesMore([repair], 1)).toBeNull()
    expect(writesMore([], 2)).toBeNull()
    expect(writesMore([{ ...repair, id: 'ignore' }], 2)).toBeNull()
  })

  it('of a rehearsed call is a line for a terminal, where a command does exactly it', () => {
    const call = { method: 'POST', path: '/api/domains/7/activate' }
    expect(commandOf(call, 'abc')).toBe('plumbline on 7 --confirm abc')
    expect(commandOf({ method: 'DELETE', path: '/api/domains/7' }, 'abc')).toBe(
      'plumbline rm 7 --confirm abc',
    )
    expect(commandOf({ ...call, body: {} }, 'abc')).toBeNull()
    expect(commandOf({ method: 'POST', path: '/api/domains/7/discard' }, 'abc')).toBeNull()
    expect(commandOf({ method: 'POST', path: '/api/users/7/activate' }, 'abc')).toBeNull()
  })
})

it('a plan names a file once and without its digest, and what it is of', () => {
  const action = { component: 'certificates-file', verb: 'update', item: '/etc/x.yml', before: null }
  const [file] = planLines({ actions: [{ ...action, after: 'f8b41d70a8f0' }], rows: [] } as never)
  expect(file).toEqual({ verb: 'change', what: 'Certificates file', detail: '' })
  const routes = { ...action, component: 'routes', after: 'sha256 f8b41d70a8f0, 3 routers' }
  expect(planLines({ actions: [routes], rows: [] } as never)[0]).toMatchObject({
    what: 'Routes file',
    detail: '3 routers',
  })
  expect(planTitle(0, null)).toBe('What a deploy would put back')
  expect(planTitle(2, null)).toBe('Plan of all that is saved')
  expect(planTitle(2, [1])).toBe('Plan of 1 domain')
  expect(resultText('Repaired sso, people.')).toBe('Put back: Sign-in rules, People.')
})

it('nobody gets in to what is disabled, and of what is managed elsewhere nothing is said: neither is open to all', () => {
  expect(accessText({ ...RECORD, status: 'disabled' })).toBe('nobody')
  expect(accessText({ ...RECORD, service_type: 'manual' })).toBe('decided elsewhere')
  const row = (more: object) => domainRows([{ ...RECORD, ...more }], new Map())[0]!.open
  expect([row({}), row({ status: 'disabled' }), row({ service_type: 'manual' })]).toEqual([
    true,
    false,
    false,
  ])
})

it('what opens without a sign-in from inside alone is not open to all, on any page', () => {
  expect(accessText({ ...RECORD, protocol: 'tcp', auth_required: true })).toBe('open to all, by TCP')
  expect(accessText({ ...RECORD, service_type: 'internal' })).toBe('open to whoever reaches it inside')
  expect(accessText({ ...RECORD, service_type: 'internal', auth_required: true })).toBe(
    'signed in, from inside',
  )
  const entry = (domain: string) => ({
    domain,
    username: null,
    can_open: true,
    policy: 'bypass',
    groups: [],
    exceptions: [],
    detail: 'The domain is open to everybody.',
  })
  const told = { entries: [entry('a.home.example'), entry('b.home.example')] } as unknown as Access
  const rows = accessRows(told, internalOf([{ domain: 'a.home.example', service_type: 'internal' }]))
  expect(openCounts(rows)).toEqual({ all: 1, inside: 1 })
  expect(rows.map(policyOf)).toEqual(['open inside', 'open to all'])
  expect(
    rows.map(({ hay }) => hay.includes('open inside')),
    'it is found by what is read',
  ).toEqual([true, false])
  expect(rows.map(({ of }) => of.detail)).toEqual([
    'Whoever reaches it inside opens it, without signing in.',
    'The domain is open to everybody.',
  ])
})

it('the releases that moved a record are those in which it stood otherwise than in the one before', () => {
  const then = new Map([
    [6, null],
    [5, 'Host .22'],
    [4, 'Host .22'],
    [3, 'not live then'],
  ])
  expect(movedBy([7, 6, 5, 4, 3, 2], then)).toEqual([
    { number: 6, against: 5, before: 'Host .22' },
    { number: 4, against: 3, before: 'not live then' },
  ])
  expect(movedBy([7], then)).toEqual([])
})

it('a part that somebody put back is named in words, as what was put back by itself is', () => {
  const entry = (actor: string, action: string) => ({
    actor,
    action,
    domain: null,
    detail: { component: 'people' },
  })
  expect(auditText(entry('sso:ana', 'repair'))).toBe('ana put back People through Plumbline')
  expect(auditText(entry('reconciler', 'undo_edit'))).toBe('reconciler put back People by itself')
})

it('one thing is counted as one, and what ends in s has its plural', () => {
  expect([count(1, 'address'), count(10, 'address'), count(0, 'device')]).toEqual([
    '1 address',
    '10 addresses',
    '0 devices',
  ])
})

it.each([
  ['installation', 0, 'Installed: no domain.'],
  ['apply estate', 10, 'Applied an estate: 10 domains.'],
  ['deploy all', 1, 'Deployed all that was saved: 1 domain.'],
  ['deploy 3 domains', 3, 'Deployed 3 domains.'],
  ['activate a.example.com', 1, 'Activated a.example.com.'],
  ['rename a.example.com to b.example.com', 1, 'Renamed a.example.com to b.example.com.'],
  ['restore release 4', 2, 'Restored release 4: 2 domains.'],
  ['restore 1 of release 4', 1, 'Restored 1 domain of release 4.'],
  // Nobody knows a verb of a later version, and a name keeps its letters.
  ['b.example.com could not be taken; back', 1, 'b.example.com could not be taken; back.'],
] as const)('a release because of "%s" says what happened', (reason, rows_moved, text) => {
  expect(releaseText({ reason, rows_moved })).toBe(text)
})

it('where no field moved, it is said what differs all the same', () => {
  const released = { release: 3, at: '2026-01-01T00:00:00Z', actor: 'key', request_id: 'r', reason: 'deploy' }
  expect(noneMoved({ pending: true, released }, 'released')).toBe('It waits for a deploy.')
  expect(noneMoved({ pending: false, released: null }, 'unknown')).toMatch(/no release to compare/)
  expect(noneMoved({ pending: false, released }, 'differs')).toMatch(/What is there was changed/)
  expect(noneMoved({ pending: false, released }, 'unknown')).toMatch(/not known\.$/)
  expect(noneMoved({ pending: false, released }, 'released')).toBe('Saved and released are the same.')
})
