/** What the health page watches becomes a trouble where nobody else tells it, and only once for one cause. */
import { describe, expect, it } from 'vitest'
import type { HealthComponent } from '../../../src/model/health.ts'
import { drifting, healthy, impaired, type LookedAt, unknown, type Watched } from '../../../src/core/check.ts'
import { certificatesCheck } from '../../../src/features/certificates/checks.ts'
import { servedCheck } from '../../../src/features/certificates/wire/check.ts'
import { ddnsCheck } from '../../../src/features/ddns/checks.ts'
import { accountChecks, integrityCheck, resolversCheck } from '../../../src/features/dns/checks.ts'
import { edgesCheck } from '../../../src/features/edges/checks.ts'
import { databaseCheck } from '../../../src/features/health/database-check.ts'
import { credentialsCheck } from '../../../src/features/keys/credentials/check.ts'
import { mailCheck } from '../../../src/features/mail/checks.ts'
import { usersCheck } from '../../../src/features/people/checks.ts'
import { proxyCheck } from '../../../src/features/routes/checks.ts'
import { routesFolderCheck } from '../../../src/features/routes/folder-check.ts'
import { attachmentChecks } from '../../../src/features/sso/checks.ts'
import { overviewOf, observationOf, watchedFindings } from '../../../src/features/notifications/observe.ts'
import { isIndeterminate } from '../../../src/features/notifications/observation.ts'
import { MINUTE_MS, T0 } from './samples.ts'

const AFTER_MS = 10 * MINUTE_MS
const LATER = T0 + 60 * MINUTE_MS

/** No look is taken here: of what a check works with only what it is built from is there. */
const PARTS = {
  dns: { providers: [{ account: 'main' }], unserved: new Map() },
  dns_watch: { status: { sources: [] } },
  certificates: {},
  people: { users: null, reloader: {} },
  mail: {},
  proxy: {},
  sso: {},
} as never
const CHECKS = [
  databaseCheck(PARTS, null as never),
  resolversCheck(PARTS),
  integrityCheck(PARTS),
  ...accountChecks(PARTS),
  proxyCheck(PARTS),
  routesFolderCheck(null as never, null as never, null as never),
  mailCheck(PARTS),
  ...attachmentChecks(PARTS),
  certificatesCheck(PARTS),
  servedCheck(PARTS),
  edgesCheck(PARTS),
  usersCheck(PARTS),
  ddnsCheck(PARTS),
  credentialsCheck(PARTS),
]

function part(name: string, found: LookedAt, fields: Partial<HealthComponent> = {}): Watched {
  const check = CHECKS.find((one) => one.name === name)
  if (check === undefined && name !== 'docker:hub') throw new Error(`nobody checks ${name}`)
  return {
    check: check ?? { ...CHECKS[0]!, name },
    part: {
      name,
      component: name.replace(/:.*/, ''),
      kind: 'watch',
      configured: true,
      observed_at: LATER,
      stale_after: LATER + MINUTE_MS,
      stale: false,
      since: T0,
      next_attempt_at: null,
      mode: null,
      suspended_until: null,
      ...found,
      ...fields,
    },
  }
}
const facts = { now: LATER, after_ms: AFTER_MS, awake_since: T0, routes_differ: false }
function seen(parts: readonly Watched[], more: Partial<typeof facts> = {}) {
  const { routes_differ, ...time } = { ...facts, ...more }
  const differs = (key: string) => routes_differ && key === 'routes'
  const overview = { ...overviewOf(parts, [], time), differs }
  return observationOf([watchedFindings(parts, { ...time, overview })], time.now, AFTER_MS)
}

const away = unknown('unreachable', 'away')
const stuck = drifting('not_loaded', 'It runs another file.')

it('a folder that the proxy refuses is critical, another fault of a neighbour is not', () => {
  const severityOf = (refused: readonly string[]) => {
    const found = drifting('neighbour', 'a file', { details: { refused } })
    return seen([part('routes_folder', found)]).alerts.map(({ severity }) => severity)
  }
  expect([severityOf(['/routes/a.yml']), severityOf([])]).toEqual([['critical'], ['notice']])
})

describe('a part of the health page', () => {
  it.each<[string, LookedAt, string | null, number]>([
    ['database', healthy('fine'), null, 0],
    ['database', impaired('storage_low', 'full'), 'failing', AFTER_MS],
    ['resolvers', drifting('missing', 'one'), 'drift_lasting', AFTER_MS],
    ['docker:hub', away, 'unknown_lasting', AFTER_MS],
    ['proxy', stuck, 'not_loaded', AFTER_MS],
    ['proxy', drifting('rejected', 'a router'), 'failing', AFTER_MS],
    ['proxy', impaired('entrypoints_missing', 'no websecure'), 'failing', AFTER_MS],
    ['routes_folder', drifting('neighbour', 'names of ours'), 'drift_lasting', AFTER_MS],
    ['proxy', away, 'unknown_lasting', AFTER_MS],
    ['mail', impaired('needs_consent', 'grant it'), 'consent_needed', 0],
    ['dns_integrity', away, 'unknown_lasting', AFTER_MS],
    ['dns_integrity', drifting('slow', 'told name by name'), null, 0],
    ['sso_attachments', drifting('edited', 'told by the key of the rules'), null, 0],
    ['sso_attachments', away, null, 0],
    ['sso_attachments', drifting('proxy_differs', 'no key keeps that'), 'failing', AFTER_MS],
    ['certificates', impaired('expired', 'told by its time'), null, 0],
    ['edges', impaired('offline', 'told edge by edge'), null, 0],
    ['edges', drifting('behind', 'earlier routes'), 'not_loaded', 0],
    ['sso_users', drifting('not_loaded', 'no restart'), 'not_loaded', 0],
    ['certificates_served', drifting('not_served', 'the default one'), 'drift_lasting', AFTER_MS],
    ['certificates_served', away, 'unknown_lasting', AFTER_MS],
    ['credentials', impaired('wrong_keys', 'guessed'), 'failing', 0],
    ['ddns', impaired('rotation_due', 'told key by key'), null, 0],
    ['sso_routes', impaired('quarantined', 'told by the quarantine'), null, 0],
    ['dns_account:main', away, null, 0],
  ])('%s that says %o is %s', (name, found, kind, wait_ms) => {
    const told = seen([part(name, found)]).alerts.map((alert) => [alert.kind, alert.due_at - T0])
    expect(told).toEqual(kind === null ? [] : [[kind, wait_ms]])
  })

  it('that is not set up is nobody’s trouble, and what it was is over', () => {
    const gone = seen([part('mail', away, { configured: false })])
    expect(gone).toEqual({ alerts: [], indeterminate: [] })
  })

  it('not known for a moment is neither a trouble nor an end', () => {
    const moment = seen([part('proxy', away)], { now: T0 + MINUTE_MS })
    expect(moment.alerts).toEqual([])
    expect(isIndeterminate(moment, 'watch/proxy/0')).toBe(true)
  })

  it('that nobody could look at while the host slept is nobody’s trouble yet', () => {
    const stale = part('proxy', unknown('stale', 'too old'), { stale: true })
    expect(seen([stale], { awake_since: LATER }).alerts).toEqual([])
    expect(
      seen([part('proxy', unknown('never_looked', ''), { since: null })], { awake_since: LATER }),
    ).toEqual({ alerts: [], indeterminate: ['watch/proxy/'] })
  })

  it('names the domains of what was found, once each', () => {
    const twice = ['b.example.com', 'a.example.com', 'b.example.com'].map((domain) => ({
      item: `router of ${domain}`,
      cause: 'rejected',
      domains: [domain],
      detail: '',
    }))
    const found = impaired('rejected', 'It finds fault.', { differences: twice })
    expect(seen([part('proxy', found)]).alerts).toMatchObject([
      { id: 'watch/proxy/0', key: 'proxy', domains: ['a.example.com', 'b.example.com'] },
    ])
  })
})

describe('one cause', () => {
  it('a routes file that is not what was released is told by its key; the proxy could not have loaded it', () => {
    const effect = seen([part('proxy', stuck)], { routes_differ: true })
    expect(effect.alerts).toEqual([])
    expect(isIndeterminate(effect, 'watch/proxy/0'), 'and nothing of it is over').toBe(true)
    expect(seen([part('proxy', away)], { routes_differ: true }).alerts).toHaveLength(1)
  })

  it('an edge that is lost says nothing of what it serves', () => {
    const lost = seen([part('edges', impaired('offline', 'silent'))])
    expect(isIndeterminate(lost, 'watch/edges/0')).toBe(true)
    expect(isIndeterminate(seen([part('edges', healthy('fine'))]), 'watch/edges/0')).toBe(false)
  })

  it.each<[string, LookedAt, LookedAt]>([
    ['is away serves nothing that could be seen', away, away],
    ['runs something else may lack what is new', stuck, drifting('not_served', 'the default one')],
  ])('a proxy that %s', (_, proxy, served) => {
    const both = seen([part('proxy', proxy), part('certificates_served', served)])
    expect(both.alerts.map(({ key }) => key)).toEqual(['proxy'])
    expect(isIndeterminate(both, 'watch/certificates_served/0')).toBe(true)
  })

  it('a proxy that finds fault with a router does not hide that another certificate is served', () => {
    const found = [
      part('proxy', impaired('rejected', 'x')),
      part('certificates_served', drifting('not_served', 'y')),
    ]
    const [, served] = seen(found).alerts
    expect(served).toMatchObject({ key: 'certificates_served', severity: 'warning' })
    expect(served!.remedy).toContain('certificate')
  })

  it('who has not loaded something decides what helps', () => {
    const remedies = ['proxy', 'edges', 'sso_users'].map((name) => {
      const cause = name === 'edges' ? 'behind' : 'not_loaded'
      return seen([part(name, drifting(cause, ''))]).alerts[0]!.remedy
    })
    expect(remedies).toEqual([
      expect.stringContaining('log of the proxy'),
      expect.stringContaining('GET /api/ccm/edge/edges'),
      expect.stringContaining('PLUMBLINE_SSO_RESTART'),
    ])
  })

  it('a proxy that runs something else has other middlewares, too', () => {
    const parts = [part('proxy', stuck), part('sso_attachments', drifting('proxy_differs', 'no check'))]
    const told = seen(parts)
    expect(told.alerts.map(({ kind }) => kind)).toEqual(['not_loaded'])
    expect(isIndeterminate(told, 'watch/sso_attachments/0')).toBe(true)
  })
})
