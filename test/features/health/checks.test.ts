/** What each check makes of what it sees: wrong, drifting, unknown, and what is no trouble at all. */
import { describe, expect, it } from 'vitest'
import type { HealthComponent } from '../../../src/model/health.ts'
import type { LookedAt } from '../../../src/core/check.ts'
import { isFinding } from '../../../src/core/check.ts'
import { withCertificates } from '../../../src/features/certificates/certificates-table.ts'
import { evaluateAcme, evaluateCertificates } from '../../../src/features/certificates/checks.ts'
import { evaluateServed } from '../../../src/features/certificates/wire/check.ts'
import { evaluateDdns } from '../../../src/features/ddns/checks.ts'
import { evaluateAccount, evaluateIntegrity, evaluateResolvers } from '../../../src/features/dns/checks.ts'
import { evaluateEdges } from '../../../src/features/edges/checks.ts'
import { evaluateMail } from '../../../src/features/mail/checks.ts'
import { evaluateProxy } from '../../../src/features/routes/checks.ts'
import { evaluateAttachments, evaluateRoutes } from '../../../src/features/sso/checks.ts'

const GOOD = { ok: true, drift: false, cause: null }
const unknown = { ok: false, drift: null, cause: null }
const wrong = (cause: string) => ({ ok: false, drift: false, cause })
const drift = (cause: string) => ({ ok: false, drift: true, cause })

const say = (cases: readonly (readonly [string, LookedAt, object])[]) =>
  it.each(cases)('%s', (_, finding, expected) => {
    expect(finding).toMatchObject(expected)
    expect(isFinding(finding)).toBe(true)
    expect(finding.message).not.toBe('')
  })

describe('the proxy', () => {
  const seen = {
    configured: true,
    api: 'http://proxy',
    reachable: true,
    version: '3.6.2',
    written_for: '3.6.0',
    version_fits: true,
    started_at: null,
    loaded: true,
    written: true,
    detail: null,
    runs_release: null,
    reason: null,
    routers: { total: 2, in_error: [], faults: [] },
    shadowed: [],
    observed_at: null,
    rejected: [],
    missing_entrypoints: [],
    entrypoints_detail: null,
    not_compared: null,
  }
  const fault = {
    domain_id: 1,
    item: 'plumbline-app@file',
    domain: 'app.example.com',
    detail: 'no such middleware',
  }
  const lacking = { missing_entrypoints: ['websecure'], entrypoints_detail: 'no entry point websecure' }
  say([
    ['runs the newest release', evaluateProxy(seen), GOOD],
    [
      'does not answer',
      evaluateProxy({ ...seen, reachable: false, loaded: null, detail: 'no answer' }),
      unknown,
    ],
    ['runs an older file', evaluateProxy({ ...seen, loaded: false, detail: 'older' }), drift('not_loaded')],
    [
      'runs an older file, since ours could not be written',
      evaluateProxy({ ...seen, loaded: false, written: false, detail: 'Not written: full' }),
      { ...drift('rejected'), message: 'Not written: full', details: { written: false } },
    ],
    ['may run anything', evaluateProxy({ ...seen, loaded: null, detail: 'no release' }), unknown],
    [
      'has no API set, and its static file is as the records ask for',
      evaluateProxy({ ...seen, configured: false, reachable: null, loaded: null, detail: 'not set' }),
      { ...GOOD, reason: 'not_configured', details: { settings: ['PLUMBLINE_TRAEFIK_API'] } },
    ],
    [
      'has more patterns of others than are held against ours',
      evaluateProxy({ ...seen, not_compared: 'too much work' }),
      unknown,
    ],
    ['is too old', evaluateProxy({ ...seen, version_fits: false, detail: 'old' }), wrong('version_too_old')],
    ['finds fault with ours', evaluateProxy({ ...seen, rejected: [fault] }), drift('rejected')],
    [
      'runs an older file in which it finds fault',
      evaluateProxy({ ...seen, loaded: false, rejected: [fault] }),
      drift('not_loaded'),
    ],
    [
      'lacks an entry point before the first deploy',
      evaluateProxy({ ...seen, loaded: null, ...lacking }),
      wrong('entrypoints_missing'),
    ],
    [
      'lacks an entry point, and does not serve ours for it',
      evaluateProxy({ ...seen, rejected: [fault], ...lacking }),
      drift('entrypoints_missing'),
    ],
  ])
})

describe('a DNS account', () => {
  const state = { account: 'main', provider: 'powerdns', ok: true, detail: null, listed_at: 5 }
  say([
    ['shows its zones', evaluateAccount(state, 1), { ...GOOD, observed_at: 5 }],
    [
      'does not answer',
      evaluateAccount({ ...state, ok: false, detail: 'away' }, 1),
      { ...unknown, message: 'away' },
    ],
    ['was not asked', evaluateAccount({ ...state, ok: null, listed_at: null }, 0), unknown],
  ])
})

describe('DNS from outside', () => {
  const NOTHING = { leftovers: [], unserved: [] }
  const name = (state: 'synced' | 'propagating' | 'slow' | 'unknown') => ({
    set: {
      zone: 'example.com',
      name: `${state}.example.com`,
      type: 'A' as const,
      values: ['192.0.2.1'],
      proxied: null,
      domain_id: 1,
    },
    state,
    since: null,
    detail: null,
    servers: [],
    resolvers: [],
    checked_at: 5,
  })
  const found = (...states: Parameters<typeof name>[0][]) => evaluateIntegrity(result(...states), NOTHING)
  const result = (...states: Parameters<typeof name>[0][]) => ({
    checked_at: 5,
    took_ms: 1,
    failure: null,
    names: states.map(name),
  })
  const left = {
    zone: 'example.com',
    name: 'old.example.com',
    type: 'A' as const,
    values: [],
    domain_id: 1,
    because: 'retired' as const,
  }
  const leftovers = { leftovers: [left], unserved: [] }
  const unserved = { leftovers: [], unserved: ['home.example'] }
  say([
    ['was never looked at', evaluateIntegrity(null, NOTHING), unknown],
    [
      'shows everything, and more that nothing asks for',
      evaluateIntegrity(result('synced'), leftovers),
      drift('left_over'),
    ],
    [
      'was never looked at, and more stands there than is asked for',
      evaluateIntegrity(null, leftovers),
      drift('left_over'),
    ],
    [
      'is late, and more stands there than is asked for',
      evaluateIntegrity(result('slow'), leftovers),
      drift('slow'),
    ],
    ['is not asked about a zone of ours', evaluateIntegrity(result('synced'), unserved), unknown],
    ['is late, and not asked about another zone', evaluateIntegrity(result('slow'), unserved), drift('slow')],
    ['has nothing to show', found(), { ...GOOD, observed_at: 5 }],
    ['shows everything', found('synced'), GOOD],
    ['is on its way', found('synced', 'propagating'), { ...GOOD, reason: 'propagating' }],
    ['is late', found('propagating', 'slow', 'unknown'), drift('slow')],
    ['cannot be told', found('synced', 'unknown', 'propagating'), unknown],
    [
      'is of nobody knows what',
      evaluateIntegrity({ checked_at: 5, took_ms: 1, failure: 'no list', names: [] }, NOTHING),
      unknown,
    ],
  ])
})

describe('the resolvers', () => {
  const counts = { ok: 0, missing: 0, wrong: 0, unknown: 0 } as never
  const host = (status: string) =>
    ({ host: `${status}.example.com`, status, expected: [], found: [] }) as never
  say([
    ['know every host', evaluateResolvers({ ok: true, reason: null, counts, hosts: [] }), GOOD],
    ['cannot be read', evaluateResolvers({ ok: null, reason: 'away', counts, hosts: [] }), unknown],
    [
      'do not know one',
      evaluateResolvers({ ok: false, reason: null, counts, hosts: [host('missing')] }),
      drift('missing'),
    ],
    [
      'know one wrongly, and some cannot be told',
      evaluateResolvers({
        ok: null,
        reason: 'away',
        counts,
        hosts: [host('missing'), host('wrong'), host('unknown')],
      }),
      { ...drift('wrong'), causes: { missing: 1, wrong: 1 } },
    ],
  ])
})

describe('mail', () => {
  const mail = (ok: boolean, state: 'needs_consent' | 'failing' | null, used = 0) =>
    evaluateMail({
      ok,
      detail: 'away',
      provider: 'gmail',
      last_sent_at: null,
      token: state === null ? null : { state, expires_at: null, reason: 'grant it anew' },
      budget: { minute: { used: 10, limit: 10 }, day: { used, limit: 200 } },
    })
  say([
    ['takes us in', mail(true, null), GOOD],
    ['may be sent no more today', mail(true, null, 200), wrong('budget_spent')],
    ['cannot be reached', mail(false, null), { ...unknown, message: 'away' }],
    ['cannot be asked for a token', mail(false, 'failing'), unknown],
    [
      'takes the grant no more',
      mail(false, 'needs_consent'),
      { ...wrong('needs_consent'), message: 'grant it anew' },
    ],
  ])
})

describe('certificates', () => {
  const counts = {} as never
  const one = (state: string, more: object = {}) =>
    ({
      name: 'app.example.com',
      state,
      wanted: true,
      certificate: { not_after: '2030-01-01T00:00:00.000Z' },
      domains: [{ domain_id: 1, domain: 'app.example.com' }],
      last_error: null,
      next_attempt_at: null,
      ...more,
    }) as never
  const judged = (...certificates: never[]) =>
    evaluateCertificates({ certificates, counts, manager: { detail: null } })
  say([
    ['are not needed', judged(), GOOD],
    ['last', judged(one('healthy')), { ...GOOD, details: { next_end_at: '2030-01-01T00:00:00.000Z' } }],
    ['one has ended', judged(one('healthy'), one('expired')), wrong('expired')],
    ['one has ended and nobody wants it', judged(one('expired', { wanted: false })), GOOD],
    [
      'one is not to be had',
      judged(one('missing', { certificate: null, last_error: 'refused' })),
      wrong('failing'),
    ],
    ['one is under way', judged(one('missing', { certificate: null })), GOOD],
    ['one drifts, as its own key tells', judged(one('healthy', { drift: true, last_error: 'no key' })), GOOD],
    [
      'cannot be read',
      evaluateCertificates({ certificates: [], counts, manager: { detail: 'EIO' } }),
      { ...unknown, reason: 'unreadable' },
    ],
  ])
})

describe('what names are served', () => {
  const seen = {
    drift: false,
    differences: [],
    reason: null,
    names: 2,
    never_asked: 0,
    observed_at: 1,
  } as const
  const difference = {
    item: 'app.example.com',
    cause: 'not_served',
    domains: ['app.example.com'],
    detail: 'Restart the proxy.',
  } as const
  say([
    ['is their own', evaluateServed(seen), GOOD],
    ['is nothing where there is none', evaluateServed({ ...seen, names: 0 }), GOOD],
    [
      'says so where a probe could not ask all anew',
      evaluateServed({ ...seen, observed_at: 5 }, 6),
      { ...GOOD, message: expect.stringContaining('no time to ask all of them anew') as string },
    ],
    [
      'is another certificate',
      evaluateServed({ ...seen, drift: true, differences: [difference] }),
      { ...drift('not_served'), causes: { not_served: 1 }, differences: [difference] },
    ],
    [
      'was never looked at',
      evaluateServed({ ...seen, drift: null, reason: '2 names were not asked yet.', never_asked: 2 }),
      { ...unknown, reason: 'never_looked' },
    ],
    [
      'cannot be seen',
      evaluateServed({ ...seen, drift: null, reason: 'It refuses connections.' }),
      { ...unknown, reason: 'unreachable', message: 'It refuses connections.' },
    ],
  ])
})

describe('the table of certificates', () => {
  const part = (over: object) =>
    ({
      name: 'certificates',
      component: 'certificates',
      kind: 'watch',
      configured: true,
      ...GOOD,
      causes: {},
      differences: [],
      reason: 'healthy',
      message: 'all last',
      ...over,
    }) as unknown as HealthComponent
  const key = (over: object) => part({ name: 'cert:app.example.com', kind: 'kept', ...over })
  const lost = { ok: false, drift: true, cause: 'lost', causes: { lost: 1 } }
  it.each<[string, HealthComponent, readonly HealthComponent[], object]>([
    ['is well where all are', part({}), [key({})], GOOD],
    ['drifts with a key of ours', part({}), [key(lost)], { ...drift('lost'), reason: 'drifting' }],
    [
      'drifts with the file that names them, beside one that has ended',
      part({ ...wrong('expired'), causes: { expired: 1 } }),
      [part({ ...lost, name: 'certificates-file', component: 'certificates-file', kind: 'kept' })],
      { ...drift('lost'), causes: { expired: 1, lost: 1 } },
    ],
    [
      'drifts with what is served',
      part({}),
      [part({ ...lost, cause: 'not_served', causes: { not_served: 3 }, name: 'certificates_served' })],
      { ...drift('not_served'), causes: { not_served: 3 } },
    ],
    [
      'is not known where a key is not',
      part({}),
      [key({ ok: false, drift: null, reason: 'unreadable' })],
      unknown,
    ],
    [
      'has nothing to do with others',
      part({}),
      [key({ ...lost, component: 'routes', name: 'routes' })],
      GOOD,
    ],
    ['is not there where none is set up', part({ configured: false }), [key(lost)], GOOD],
  ])('%s', (_, table, others, expected) => {
    expect(withCertificates([...others, table]).at(-1)).toMatchObject(expected)
    expect(withCertificates([...others, table]).slice(0, -1)).toEqual(others)
  })
})

describe("the proxy's store", () => {
  const status = {
    acme_storage_present: true,
    error: null,
    detail: null,
    read_at: '2026-01-01T12:00:00.000Z',
    cert_count: 1,
    resolvers: [],
    cert_resolver: { name: 'letsencrypt', known: true },
  }
  const SINCE = '2026-01-01T11:50:00.000Z'
  const busy = { ...status, error: 'acme_store_temporarily_unreadable' as const, detail: 'being written' }
  say([
    ['can be read', evaluateAcme(status, SINCE), GOOD],
    ['is being written, and was read lately', evaluateAcme(busy, SINCE), GOOD],
    ['is cut for long', evaluateAcme({ ...busy, read_at: '2026-01-01T11:00:00.000Z' }, SINCE), unknown],
    ['was never read whole', evaluateAcme({ ...busy, read_at: null }, SINCE), unknown],
    [
      'is not ours to read',
      evaluateAcme({ ...status, error: 'acme_store_refused', detail: 'mode' }, SINCE),
      unknown,
    ],
    [
      'is not there',
      evaluateAcme({ ...status, acme_storage_present: false, detail: 'none' }, SINCE),
      wrong('absent'),
    ],
  ])
})

describe('single sign-on', () => {
  const clean = {
    ok: true,
    configured: true,
    protected_domains: 1,
    missing_rule: [],
    drift: false,
    differences: [],
    extra_rule: [],
    weaker_policy: [],
    missing_middleware: [],
    extra_middleware: [],
    not_loaded: [],
    open_route: [],
    shut_out: [],
    unknown: [],
    not_checked: [],
    quarantine: [],
    observed_at: '',
  }
  const entry = (cause: 'edited' | 'pending_deploy' | 'answers_without_sign_in') => ({
    domain: 'app.example.com',
    cause,
    detail: 'd',
    cure: 'c',
  })
  const open = (part: 'proxy' | 'proof', cause: 'unreadable' | 'not_configured' | 'not_provable') => ({
    part,
    domain: null,
    cause,
    detail: 'away',
    cure: 'c',
  })
  const kept_out = { domain_id: 1, domain: 'app.example.com', since: '', evidence: 'e' }
  say([
    ['is as the records say', evaluateAttachments(clean), GOOD],
    [
      'one check is gone',
      evaluateAttachments({ ...clean, missing_middleware: [entry('edited')] }),
      drift('edited'),
    ],
    [
      'a hand edit goes before what waits',
      evaluateAttachments({
        ...clean,
        missing_rule: [entry('pending_deploy')],
        missing_middleware: [entry('edited')],
      }),
      drift('edited'),
    ],
    ['cannot be seen', evaluateAttachments({ ...clean, unknown: [open('proxy', 'unreadable')] }), unknown],
    [
      'is not seen because nobody set it up',
      evaluateAttachments({ ...clean, not_checked: [open('proxy', 'not_configured')] }),
      GOOD,
    ],
    ['routes are closed', evaluateRoutes(clean), GOOD],
    [
      'a route is open',
      evaluateRoutes({ ...clean, open_route: [entry('answers_without_sign_in')] }),
      drift('answers_without_sign_in'),
    ],
    ['a route is kept out', evaluateRoutes({ ...clean, quarantine: [kept_out] }), wrong('quarantined')],
    ['a route is not proven', evaluateRoutes({ ...clean, unknown: [open('proof', 'unreadable')] }), unknown],
    // A TCP route has no sign-in: there is nothing that could be proven, and nothing is wrong.
    [
      'a route has no sign-in',
      evaluateRoutes({ ...clean, not_checked: [open('proof', 'not_provable')] }),
      GOOD,
    ],
  ])
})

describe('edges', () => {
  const edge = (state: 'pending' | 'active' | 'offline', desired_state: 'active' | 'offline' = 'active') => ({
    name: `${state}-${desired_state}`,
    state,
    desired_state,
    reason: 'r',
    up_to_date: null,
  })
  say([
    ['there are none', evaluateEdges([], 0), { ...GOOD, reason: 'not_configured' }],
    [
      'all are there, new ones and such as were taken out included',
      evaluateEdges([edge('active'), edge('pending'), edge('offline', 'offline')], 0),
      GOOD,
    ],
    ['one is lost', evaluateEdges([edge('active'), edge('offline')], 0), wrong('offline')],
  ])
})

describe('dynamic DNS', () => {
  const rotation = { next_at: '2026-12-27T02:00:00.000Z', last_at: null, rotation_due: [] as string[] }
  const host = (flapping: readonly object[] = []) => ({ host: 'home.example.com', flapping }) as never
  const flaps = { type: 'A', held: '192.0.2.1', asked: '192.0.2.2', until: '' }
  say([
    [
      'nobody uses it, and the schedule is told all the same',
      evaluateDdns({ rotation, hosts: [] }),
      { ...GOOD, reason: 'not_configured', details: { rotation } },
    ],
    ['all is quiet', evaluateDdns({ rotation, hosts: [host()] }), GOOD],
    [
      'a key is due',
      evaluateDdns({ rotation: { ...rotation, rotation_due: ['home.example.com'] }, hosts: [host()] }),
      wrong('rotation_due'),
    ],
    [
      'a key opens nothing any more',
      evaluateDdns({
        rotation,
        hosts: [{ ...(host() as object), domain_id: null, is_hub: false, tokens: 1 } as never],
      }),
      wrong('stranded_key'),
    ],
    [
      'a host cannot decide',
      evaluateDdns({ rotation: { ...rotation, rotation_due: ['home.example.com'] }, hosts: [host([flaps])] }),
      wrong('flapping'),
    ],
  ])
})
