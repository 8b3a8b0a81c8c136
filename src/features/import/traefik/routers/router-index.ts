/** Finding the routers that can touch a host without asking all of them. */
import type { ImportContext } from '../../../../ports/import-context.ts'
import type { RouterPlan } from '../plan.ts'

export interface NameIndex<P> {
  /** Those that name the host itself. */
  namesakes(host: string): readonly P[]
  /** Those that name the wildcard above it or, for a wildcard, hosts below it. */
  relatives(host: string): readonly P[]
}

export interface RouterIndex extends NameIndex<RouterPlan> {
  /** Routers tied to no host that can meet a router of this kind, by rising priority. */
  broad(tls: boolean, entrypoints: readonly string[] | null): readonly RouterPlan[]
  /** Those that answer plain HTTP with anything but a redirect to HTTPS. */
  readonly broadPlain: readonly RouterPlan[]
}

/** Priorities of the routers that the routes target renders for a site and for a wildcard. */
export const SITE_RANK = 1000
export const WILDCARD_RANK = 500

export const hostRank = (host: string): number => (host.startsWith('*.') ? WILDCARD_RANK : SITE_RANK)

export const sharesEntrypoint = (
  a: Pick<RouterPlan, 'entrypoints'>,
  b: Pick<RouterPlan, 'entrypoints'>,
): boolean =>
  a.entrypoints === null ||
  b.entrypoints === null ||
  a.entrypoints.some((name) => b.entrypoints!.includes(name))

/** Routers on foreign entrypoints alone (the dashboard's, a metrics port) meet none of ours and are left out. */
export function routerIndex(plans: readonly RouterPlan[], { entrypoints }: ImportContext): RouterIndex {
  const served = plans.filter((plan) =>
    sharesEntrypoint(plan, { entrypoints: entrypoints.map(({ name }) => name) }),
  )
  const broad = served.filter(({ reach }) => reach === null).toSorted((a, b) => a.priority - b.priority)
  const memo = new Map<string, readonly RouterPlan[]>()
  return {
    ...nameIndex(served),
    broad: (tls, names) => {
      const key = JSON.stringify([tls, names])
      const known =
        memo.get(key) ??
        broad.filter((plan) => plan.tls === tls && sharesEntrypoint(plan, { entrypoints: names }))
      memo.set(key, known)
      return known
    },
    broadPlain: broad.filter(({ tls, redirects }) => !tls && !redirects),
  }
}

export function nameIndex<P extends { readonly reach: readonly string[] | null }>(
  plans: readonly P[],
): NameIndex<P> {
  const itself = new Map<string, P[]>()
  const below = new Map<string, P[]>()
  for (const plan of plans)
    for (const name of new Set(plan.reach)) {
      push(itself, name, plan)
      if (!name.startsWith('*.')) push(below, parentOf(name), plan)
    }
  return {
    namesakes: (host) => itself.get(host) ?? [],
    relatives: (host) =>
      (host.startsWith('*.') ? below.get(host.slice(2)) : itself.get(`*.${parentOf(host)}`)) ?? [],
  }
}

export const parentOf = (host: string): string => host.slice(host.indexOf('.') + 1)

/** The first router whose priority lies in the closed interval, or null. `sorted` rises. */
export function lowestBetween(sorted: readonly RouterPlan[], low: number, high: number): RouterPlan | null {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle]!.priority < low) from = middle + 1
    else to = middle
  }
  const found = sorted[from]
  return found !== undefined && found.priority <= high ? found : null
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
