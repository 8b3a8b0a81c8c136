/**
 * Which routers may become records when all of them are looked at together.
 *
 * A record's routers outrank hand-written ones. So a router becomes a record only if, for each of its hosts, the same
 * requests reach the same place before and after; whatever else names one of its hosts must be explained by the record
 * too, or stay on the side of it on which it stands today. One that does not pass stays, and then its hosts are no
 * longer fully explained, which may hold back others in turn.
 */
import { canonicalJson } from '../../../../kernel/digest.ts'
import type { ImportContext } from '../../../../ports/import-context.ts'
import { named } from '../../../routes/grammar/named.ts'
import type { RouterOutcome, RouterPlan, Site } from '../plan.ts'
import {
  hostRank,
  lowestBetween,
  type RouterIndex,
  routerIndex,
  sharesEntrypoint,
  SITE_RANK,
  WILDCARD_RANK,
} from './router-index.ts'

/** The outcome of every router, sites and redirects that do not pass turned into routers that stay. */
export function settle(
  plans: readonly RouterPlan[],
  context: ImportContext,
): ReadonlyMap<RouterPlan, RouterOutcome> {
  const outcomes = new Map(plans.map((plan) => [plan, plan.outcome]))
  const index = routerIndex(plans, context)
  const waiting = new Set(plans)
  const stirred = new Set<string>()
  for (const plan of waiting) {
    waiting.delete(plan)
    const outcome = outcomes.get(plan)!
    if (outcome.kind !== 'site') continue
    const reason = objection(plan, outcome, { outcomes, index })
    if (reason === null) continue
    outcomes.set(plan, { kind: 'stays', reason })
    for (const host of outcome.hosts) {
      // One that stays is enough to hold back all that share the host, so they are asked once; others look at which.
      if (!stirred.has(host)) for (const rival of index.namesakes(host)) waiting.add(rival)
      for (const rival of index.relatives(host)) waiting.add(rival)
      stirred.add(host)
    }
  }
  return settleRedirects(outcomes)
}

interface Arena {
  readonly outcomes: ReadonlyMap<RouterPlan, RouterOutcome>
  readonly index: RouterIndex
}

/** Why the site may not become a record, as the end of a sentence about its router, or null. */
function objection(plan: RouterPlan, site: Site, { outcomes, index }: Arena): string | null {
  for (const host of site.hosts) {
    for (const rivals of [index.namesakes(host), index.relatives(host)])
      for (const rival of rivals) {
        const reason =
          rival === plan ? null : clash({ plan, site, host }, rival, { outcome: outcomes.get(rival)!, index })
        if (reason !== null) return reason
      }
    const broad = broadRival(plan, host, index)
    if (broad !== null)
      return `shares ${host} with ${nameOf(broad)} (priority ${broad.priority}), which is not tied to a host and would be outranked by a record (priority ${hostRank(host)})`
  }
  return null
}

interface Claim {
  readonly plan: RouterPlan
  readonly site: Site
  readonly host: string
}

interface Beside {
  readonly outcome: RouterOutcome
  readonly index: RouterIndex
}

function clash({ plan, site, host }: Claim, rival: RouterPlan, { outcome, index }: Beside): string | null {
  const same = rival.reach?.includes(host) === true
  const shared = `shares ${host} with ${nameOf(rival)}`
  switch (outcome.kind) {
    case 'redirect':
      return isRedirectedAway({ plan, site, host }, rival, same) ? `${shared}, which redirects it` : null
    case 'site':
      if (same)
        return isTwin(plan, site, rival, outcome) && !isHidden(plan.tls ? plan : rival, host, index)
          ? null
          : shared
      return isMovedPast(plan, host, rival) ? `${shared}, whose wildcard it would outrank` : null
    case 'stays':
      return isDisturbed(plan, host, rival, same) ? `${shared}, which stays` : null
  }
}

/** True when requests would change sides: the rival has one rank today and any of `ranks` beside the record. */
function changesSides(plan: RouterPlan, host: string, rival: RouterPlan, ranks: readonly number[]): boolean {
  if (!sharesEntrypoint(plan, rival)) return false
  const before = rival.priority >= plan.priority
  return ranks.some((rank) => rank === hostRank(host) || rank > hostRank(host) !== before)
}

/** A redirect may go into the record of its host or stay; over HTTPS it is nobody's rival. */
function isRedirectedAway({ plan, host }: Claim, rival: RouterPlan, same: boolean): boolean {
  if (plan.tls) return false
  const absorbed = host.startsWith('*.') ? SITE_RANK : WILDCARD_RANK
  return same || changesSides(plan, host, rival, [rival.priority, absorbed])
}

/** A wildcard's site, which as a record always stands behind the host's, stood before it or answered its plain HTTP. */
function isMovedPast(plan: RouterPlan, host: string, rival: RouterPlan): boolean {
  if (host.startsWith('*.')) return false
  if (plan.tls !== rival.tls) return plan.tls
  return changesSides(plan, host, rival, [WILDCARD_RANK])
}

/**
 * True when a router that stays names the same host, or would get more or less of the host's traffic beside the record
 * than it gets today. A redirect to HTTPS may stay: the record brings the same one.
 */
function isDisturbed(plan: RouterPlan, host: string, rival: RouterPlan, same: boolean): boolean {
  if (plan.tls && rival.redirects) return false
  if (same) return true
  if (plan.tls !== rival.tls) return plan.tls && rival.priority <= hostRank(host)
  return changesSides(plan, host, rival, [rival.priority])
}

/** The same question for routers that are tied to no host, which are too many to ask one by one. */
function broadRival(plan: RouterPlan, host: string, index: RouterIndex): RouterPlan | null {
  const rank = hostRank(host)
  const [low, high] = plan.priority <= rank ? [plan.priority, rank] : [rank, plan.priority - 1]
  const beside = lowestBetween(index.broad(plan.tls, plan.entrypoints), low, high)
  if (beside !== null || !plan.tls) return beside
  // The record's own redirect comes before whatever answers plain HTTP today.
  return lowestBetween(index.broadPlain, Number.NEGATIVE_INFINITY, rank)
}

/** The same site over plain HTTP and over HTTPS: one record, whose plain half becomes a redirect. */
export function isTwin(plan: RouterPlan, site: Site, rival: RouterPlan, other: Site): boolean {
  const text = ({ hosts, fields }: Site): string =>
    canonicalJson([hosts.toSorted(), { ...fields, ssl_enabled: null }])
  return plan.tls !== rival.tls && text(site) === text(other)
}

/** Something wider stands before it, so HTTPS may not answer what plain HTTP does. */
const isHidden = (plan: RouterPlan, host: string, index: RouterIndex): boolean =>
  lowestBetween(index.broad(plan.tls, plan.entrypoints), plan.priority, Number.POSITIVE_INFINITY) !== null ||
  index.relatives(host).some(({ tls, priority }) => tls === plan.tls && priority >= plan.priority)

/** A redirect goes into the records of all its hosts, or it stays. */
function settleRedirects(
  outcomes: ReadonlyMap<RouterPlan, RouterOutcome>,
): ReadonlyMap<RouterPlan, RouterOutcome> {
  const secured = new Set(
    [...outcomes].flatMap(([{ tls }, outcome]) => (tls && outcome.kind === 'site' ? outcome.hosts : [])),
  )
  return new Map(
    [...outcomes].map(([plan, outcome]) => {
      const left = outcome.kind === 'redirect' ? outcome.hosts.find((host) => !secured.has(host)) : undefined
      if (left === undefined) return [plan, outcome]
      const reason = `redirects ${left} to HTTPS, and no record brings that redirect along`
      return [plan, { kind: 'stays', reason }]
    }),
  )
}

const nameOf = ({ item }: RouterPlan): string => named(item.name)
