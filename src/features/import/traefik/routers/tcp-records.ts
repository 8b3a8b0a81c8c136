/** TCP routes as records, when nothing else on their entrypoint stands in the way. */
import { checkNew } from '../../../../model/domain/rules.ts'
import { parseDomainName } from '../../../../model/domain/hostname.ts'
import type { CreateInput } from '../../entry.ts'
import type { ImportContext } from '../../../../ports/import-context.ts'
import { distinct } from './http-records.ts'
import type { Item } from '../inventory.ts'
import { named } from '../../../routes/grammar/named.ts'
import type { ImportedRecord } from '../result.ts'
import { nameIndex, parentOf, sharesEntrypoint } from './router-index.ts'
import type { TcpPlan, TcpRoute } from './tcp-routers.ts'

export interface TcpImport {
  readonly records: readonly ImportedRecord[]
  readonly staying: readonly { readonly item: Item; readonly reason: string }[]
}

/** @param taken domains that have a record already: a name can have only one. */
export function tcpRecords(
  plans: readonly TcpPlan[],
  taken: readonly string[],
  context: ImportContext,
): TcpImport {
  const names = new Set(taken)
  const base = context.base_domain ?? usualParent(taken)
  const rivals = rivalsOf(plans)
  const records: ImportedRecord[] = []
  const staying: { item: Item; reason: string }[] = []
  for (const plan of plans) {
    const made =
      plan.outcome.kind === 'stays'
        ? plan.outcome.reason
        : recordsFor(plan, plan.outcome.route, { names, base, rivals, context })
    if (typeof made === 'string') staying.push({ item: plan.item, reason: made })
    else {
      records.push(...made)
      for (const { input } of made) names.add(input.domain)
    }
  }
  return { records, staying }
}

interface Surroundings {
  readonly names: ReadonlySet<string>
  readonly base: string | null
  readonly rivals: (plan: TcpPlan) => TcpPlan | null
  readonly context: ImportContext
}

/** The records, or why there are none, as the end of a sentence about the router. */
function recordsFor(
  plan: TcpPlan,
  route: TcpRoute,
  { names, base, rivals, context }: Surroundings,
): ImportedRecord[] | string {
  const rival = rivals(plan)
  if (rival !== null)
    return `shares the entrypoint ${named(route.entrypoint)} and a name with ${named(rival.item.name)}`
  const domains = route.hosts ?? givenName(plan.item.name, base)
  if (typeof domains === 'string') return domains
  const double = domains.find((domain) => names.has(domain))
  if (double !== undefined) return `would need a second record for ${double}`
  const inputs = domains.map((domain) => inputFor(domain, route, context))
  for (const input of inputs) {
    const checked = checkNew({ ...input }, context.offer)
    if (!checked.ok)
      return `would break a rule of records: ${checked.errors.map(({ msg }) => msg).join('; ')}`
  }
  const notes =
    route.hosts === null ? [`the name ${domains[0]} is made from the router's, which takes every name`] : []
  return inputs.map((input) => ({
    input,
    source: { file: plan.item.file, routers: [plan.item.name] },
    uses: distinct([plan.item, ...route.uses]),
    notes: [...route.notes, ...notes],
  }))
}

const inputFor = (domain: string, route: TcpRoute, context: ImportContext): CreateInput => ({
  domain,
  service_type: 'tcp-proxy',
  environment: context.environment,
  backend_host: route.backend_host,
  backend_port: route.backend_port,
  protocol: 'tcp',
  tcp_entrypoint: route.entrypoint,
  auth_required: false,
  ssl_enabled: route.hosts !== null,
})

/** Another router on the same entrypoint that takes a name of this one, or that may take any but is no mere catch-all. */
function rivalsOf(plans: readonly TcpPlan[]): (plan: TcpPlan) => TcpPlan | null {
  const index = nameIndex(plans)
  const broad = plans.filter(({ reach }) => reach === null)
  const unclear = broad.filter(({ catch_all }) => !catch_all)
  return (plan) => {
    const isRival = (other: TcpPlan): boolean => other !== plan && sharesEntrypoint(plan, other)
    for (const name of plan.reach ?? []) {
      const rival = index.namesakes(name).find(isRival) ?? index.relatives(name).find(isRival)
      if (rival !== undefined) return rival
    }
    return (plan.reach === null ? broad : unclear).find(isRival) ?? null
  }
}

function givenName(router: string, base: string | null): readonly string[] | string {
  if (base === null)
    return 'takes every name on its entrypoint, and there is no base domain to name its record under'
  const label = router
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  const parsed = parseDomainName(`${label}.${base}`)
  return parsed.ok
    ? [parsed.value]
    : `takes every name on its entrypoint, and its own gives no name for a record`
}

/** The parent domain of most names, the first by code units among equals; null without names. */
function usualParent(domains: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const domain of domains) counts.set(parentOf(domain), (counts.get(parentOf(domain)) ?? 0) + 1)
  const [first] = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return first?.[0] ?? null
}
