/** A resolver's overrides by name, so that a question costs as much as its name has labels. */
import type { Override, ResolverAnswer, ResolverView, ResolverZone } from './view.ts'

export interface ResolverIndex {
  readonly exact: ReadonlyMap<string, readonly Override[]>
  readonly subtree: ReadonlyMap<string, readonly Override[]>
  readonly below: ReadonlyMap<string, readonly Override[]>
  readonly zones: ReadonlyMap<string, readonly ResolverZone[]>
  /** Names that have an exact override somewhere below them. */
  readonly above: ReadonlySet<string>
}

export function indexed({ overrides, zones }: ResolverView): ResolverIndex {
  const byScope = (scope: Override['scope']) => grouped(overrides.filter((entry) => entry.scope === scope))
  const above = new Set<string>()
  for (const { name, scope } of overrides)
    if (scope === 'exact') for (const parent of upwards(name)) if (parent !== name) above.add(parent)
  return {
    exact: byScope('exact'),
    subtree: byScope('subtree'),
    below: byScope('below'),
    zones: grouped(zones),
    above,
  }
}

function grouped<T extends { readonly name: string }>(entries: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const entry of entries) {
    const group = groups.get(entry.name)
    if (group === undefined) groups.set(entry.name, [entry])
    else group.push(entry)
  }
  return groups
}

/** The name, its parents, and the root as the empty name. */
export function* upwards(name: string): Generator<string> {
  for (let at = name; at !== '';) {
    yield at
    const dot = at.indexOf('.')
    at = dot === -1 ? '' : at.slice(dot + 1)
  }
  yield ''
}

/** The zone with the longest name that holds this one. */
export function zoneAround({ zones }: ResolverIndex, name: string): ResolverZone | null {
  for (const at of upwards(name)) {
    const zone = zones.get(at)?.find(({ scope }) => scope === 'subtree' || at !== name)
    if (zone !== undefined) return zone
  }
  return null
}

/** Distinct values of one type, in order. */
export const valuesOf = (overrides: readonly Override[] | undefined, type: string): string[] => [
  ...new Set((overrides ?? []).flatMap((entry) => (entry.type === type ? (entry.value ?? []) : []))),
]

export const addresses = (values: readonly string[], via: readonly string[] = []): ResolverAnswer => ({
  kind: 'addresses',
  values,
  via,
})

/** What a block list answers. */
export const NULL_ADDRESS = { A: '0.0.0.0', AAAA: '::' } as const
