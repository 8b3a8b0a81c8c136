/** DNS from outside: the accounts, what the world sees of our records, and the resolvers of the network. */
import type { PartAdvice } from '../../core/finding.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import type { Deps } from './deps.ts'
import { untilAborted } from '../../kernel/async/until-aborted.ts'
import { hasServed } from './service.ts'
import { besideResult } from './integrity/beside-result.ts'
import {
  type BesideResult,
  type IntegrityResult,
  leftOverWords,
  unservedWords,
} from './integrity/integrity-result.ts'
import type { HealthFinding } from '../../model/health.ts'
import { readDnsStatus } from './zones/read-status.ts'
import { CHECK_EVERY_MS } from './integrity/schedule.ts'
import type { AccountState } from './zones/zone-discovery.ts'
import {
  countsBy,
  countsOf,
  drifting,
  type HealthCheck,
  healthy,
  type LookedAt,
  named,
  onItsWay,
  reportedApart,
  unknown,
} from '../../core/check.ts'

const EVERY_MS: Milliseconds = 30_000
/** The zones are listed every ten minutes by whoever discovers them; nobody lists them more often for this page. */
const LISTED_EVERY_MS: Milliseconds = 10 * 60_000

/** One for each account. */
export const accountChecks = ({ dns }: Pick<Deps, 'dns'>): readonly HealthCheck[] =>
  dns.providers.length === 0
    ? [
        {
          ...ACCOUNT,
          name: 'dns_account',
          configured: false,
          look: () => Promise.resolve(unknown('never_looked', '')),
        },
      ]
    : dns.providers.map(({ account }) => ({
        ...ACCOUNT,
        name: `dns_account:${account}`,
        configured: true,
        // Whoever asks it, as a deploy does, finds how it is by then.
        glance: () =>
          JSON.stringify([stateOf(dns, account).ok, stateOf(dns, account).detail, zonesOf(dns, account)]),
        async look({ afresh, signal }) {
          const known = stateOf(dns, account)
          if (afresh || known.ok !== true) await untilAborted(dns.discovery.recheck(account), signal)
          return evaluateAccount(stateOf(dns, account), zonesOf(dns, account))
        },
      }))

const ACCOUNT = {
  component: 'dns_account',
  kind: 'dependency',
  every_ms: EVERY_MS,
  stale_after_ms: 3 * LISTED_EVERY_MS,
  // By its zones, which are kept.
  advises: reportedApart('Correct its settings, or wait until it answers.'),
} as const

const stateOf = ({ discovery }: Deps['dns'], account: string): AccountState =>
  discovery.accounts().find((state) => state.account === account)!

const zonesOf = ({ discovery }: Deps['dns'], account: string): number =>
  discovery.zones().filter((zone) => zone.account === account).length

/** Pure. */
export function evaluateAccount({ provider, ok, detail, listed_at }: AccountState, zones: number): LookedAt {
  const details = { provider, zones }
  if (ok === null) return unknown('never_looked', 'It was not asked yet.', { details })
  if (!ok) return unknown('unreachable', detail ?? 'It does not answer.', { details })
  const message = zones === 1 ? 'It shows 1 zone.' : `It shows ${zones} zones.`
  return healthy(message, { details, ...(listed_at !== null && { observed_at: listed_at }) })
}

export const INTEGRITY = 'dns_integrity'

export const integrityCheck = (deps: Pick<Deps, 'dns' | 'dns_watch' | 'store'>): HealthCheck => ({
  name: INTEGRITY,
  kind: 'watch',
  configured: hasServed(deps.dns),
  every_ms: EVERY_MS,
  reads_kept: true,
  stale_after_ms: 3 * CHECK_EVERY_MS,
  async look({ afresh, signal }) {
    const { integrity } = deps.dns_watch
    if (afresh) await untilAborted(integrity.recheck(), signal)
    return evaluateIntegrity(integrity.last, await besideResult(deps))
  },
  advises: onIntegrity,
})

/** Each name is told by itself, and what is left over by the key of its zone. */
const onIntegrity = ({ drift, cause }: Pick<HealthFinding, 'drift' | 'cause'>): Partial<PartAdvice> =>
  drift === null
    ? {}
    : { remedy: cause === 'left_over' ? SEE_LEFTOVERS : ASK_THE_SERVERS, is_reported_apart: true }

const SEE_LEFTOVERS =
  '"plumbline dns integrity" names each with its reason; "plumbline drift" says what keeps it there.'

export const ASK_THE_SERVERS =
  'GET /api/dns/integrity shows what each server answers; see whether all of them get the zone.'

type Beside = Pick<BesideResult, 'leftovers' | 'unserved'>

/** Pure. What is on its way is as it should be until its time is over. */
export function evaluateIntegrity(result: IntegrityResult | null, beside: Beside): LookedAt {
  const found = result === null ? NEVER_LOOKED : evaluateNames(result)
  if (found.drift === true) return found
  const { leftovers, unserved } = beside
  if (leftovers.length > 0) return leftOver(leftovers, found)
  if (unserved.length === 0 || found.drift === null) return found
  const { details, observed_at } = found
  return unknown('unreachable', unservedWords(unserved), { details, ...(observed_at && { observed_at }) })
}

const NEVER_LOOKED = unknown('never_looked', 'The first check has not ended.')

const leftOver = (leftovers: Beside['leftovers'], { details }: LookedAt): LookedAt =>
  drifting('left_over', leftOverWords(leftovers), {
    details,
    differences: leftovers.map(({ type, name, because }) => ({
      item: `${name} ${type}`,
      cause: 'left_over',
      domains: [name],
      detail: because.replaceAll('_', ' '),
    })),
  })

function evaluateNames({ names, failure, checked_at: observed_at }: IntegrityResult): LookedAt {
  const seen = { details: { names: countsBy(names, ({ state }) => state) }, observed_at }
  const of = (state: string) => names.filter((found) => found.state === state)
  const slow = of('slow')
  if (slow.length > 0) return tooSlow(slow, seen)
  if (failure !== null) return unknown('unreadable', failure, seen)
  const lost = of('unknown')
  if (lost.length > 0)
    return unknown('unreachable', `${named(lost.map(({ set }) => set.name))} cannot be told.`, seen)
  const moving = of('propagating').length
  if (moving > 0) return onItsWay(`${moving} on the way.`, seen)
  return healthy('The authoritative servers show every record.', seen)
}

type NamesFound = IntegrityResult['names']

const tooSlow = (slow: NamesFound, seen: Pick<LookedAt, 'details' | 'observed_at'>): LookedAt =>
  drifting('slow', `${slow.length} not in place ten minutes after the change.`, {
    ...seen,
    differences: slow.map(({ set, detail }) => ({
      item: `${set.name} ${set.type}`,
      cause: 'slow',
      domains: [set.name],
      detail: detail ?? '',
    })),
  })

const RESOLVERS_EVERY_MS: Milliseconds = 60_000

export const resolversCheck = ({ dns_watch }: Pick<Deps, 'dns_watch'>): HealthCheck => ({
  name: 'resolvers',
  kind: 'watch',
  configured: dns_watch.status.sources.length > 0,
  every_ms: RESOLVERS_EVERY_MS,
  glance: () => glanceOver(dns_watch.status.sources),
  look: async ({ signal }) => evaluateResolvers(await readDnsStatus(dns_watch.status, signal)),
})

/** Of the files; an API has no stamp, and waits for its time. */
function glanceOver(sources: Deps['dns_watch']['status']['sources']): string | null {
  const glances = sources.map((source) => (source.glance === undefined ? '' : source.glance()))
  return glances.includes(null) ? null : glances.join(' ')
}

type Status = Pick<Awaited<ReturnType<typeof readDnsStatus>>, 'ok' | 'reason' | 'counts' | 'hosts'>

/** Pure. What is known to be wrong goes before what cannot be told. */
export function evaluateResolvers({ ok, reason, counts, hosts }: Status): LookedAt {
  const details = { hosts: counts }
  const differences = hosts
    .filter(({ status }) => status === 'missing' || status === 'wrong')
    .map(({ host, status }) => ({
      item: host,
      cause: status,
      domains: [host],
      detail: status === 'missing' ? 'a resolver does not answer it' : 'a resolver answers another address',
    }))
  if (differences.length > 0) {
    const causes = countsOf(differences)
    const message = `${named(differences.map(({ item }) => item))}: not as the routes need it.`
    return drifting(causes['wrong'] === undefined ? 'missing' : 'wrong', message, {
      details,
      differences,
      causes,
    })
  }
  if (ok !== true) return unknown('unreadable', reason ?? 'It cannot be told.', { details })
  return healthy('They know every host of the routes file.', { details })
}
