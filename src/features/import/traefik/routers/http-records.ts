/** Settled HTTP routers as records, one per host, each with all that it stands for. */
import { isTwin } from './contention.ts'
import type { FilePosition } from '../place.ts'
import { placeKey } from '../place.ts'
import type { RouterOutcome, RouterPlan, Site } from '../plan.ts'
import type { ImportedRecord } from '../result.ts'
import { PLAIN_NOTE } from './router-binding.ts'

/** Redirects and plain-HTTP twins go into the records of their hosts. */
export function httpRecords(outcomes: ReadonlyMap<RouterPlan, RouterOutcome>): ImportedRecord[] {
  const byHost = sitesByHost(outcomes)
  for (const [plan, outcome] of outcomes)
    if (outcome.kind === 'redirect')
      for (const host of outcome.hosts) byHost.get(host)?.uses.push(plan.item, ...outcome.uses)
  return [...byHost].map(([domain, { plan, site, twins, uses }]) => ({
    input: { domain, ...site.fields },
    source: { file: plan.item.file, routers: [plan.item.name, ...twins.map(({ item }) => item.name)] },
    uses: distinct(uses),
    notes: [...new Set([...site.notes, ...(twins.length > 0 ? [PLAIN_NOTE] : [])])],
  }))
}

interface HostSite {
  readonly plan: RouterPlan
  readonly site: Site
  readonly twins: RouterPlan[]
  readonly uses: FilePosition[]
}

/** Those with TLS go first: a plain one is the twin of such a one. */
function sitesByHost(outcomes: ReadonlyMap<RouterPlan, RouterOutcome>): Map<string, HostSite> {
  const sites = [...outcomes].filter((entry): entry is [RouterPlan, Site] => entry[1].kind === 'site')
  const byHost = new Map<string, HostSite>()
  for (const [plan, site] of sites.toSorted(([a], [b]) => Number(b.tls) - Number(a.tls)))
    for (const host of site.hosts) {
      const first = byHost.get(host)
      if (first === undefined) byHost.set(host, { plan, site, twins: [], uses: [plan.item, ...site.uses] })
      else if (isTwin(plan, site, first.plan, first.site)) {
        first.twins.push(plan)
        first.uses.push(plan.item, ...site.uses)
      }
    }
  return byHost
}

export const distinct = (places: readonly FilePosition[]): FilePosition[] => [
  ...new Map(places.map(({ file, where }) => [placeKey({ file, where }), { file, where }])).values(),
]
