/**
 * From records to the certificates that are ours to obtain. Pure.
 *
 * What is installed is no part of it: that is found when looking, so that a renewal needs no release.
 */
import { wildcardOf } from '../../../model/network/certificate.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Intent } from '../../../model/intent.ts'

export interface CertificatesDesired {
  /** Ordered by name. */
  readonly wishes: readonly Wish[]
  /** Names that are neither live nor retired: nothing is obtained for them, and nothing of theirs is taken away. */
  readonly kept: readonly string[]
}

/** One certificate. */
export interface Wish {
  /** The first of its names, which it is called by. */
  readonly name: string
  /** Sorted, wildcards among them. */
  readonly names: readonly string[]
  /** Records that it is for, ascending. */
  readonly domain_ids: readonly number[]
}

/** Whose names are ours: all that the proxy serves by TLS, or only those that nobody outside can validate. */
export type Responsibility = 'all' | 'internal'

/** Without TLS at the proxy there is nothing to present; what is managed elsewhere has its certificate from there. */
export const isOurs = (
  { service_type, ssl_enabled }: DomainFields,
  responsibility: Responsibility,
): boolean =>
  ssl_enabled && service_type !== 'manual' && (responsibility === 'all' || service_type === 'internal')

export function desireCertificates(intent: Intent, responsibility: Responsibility): CertificatesDesired {
  const needed = new Map<string, number[]>()
  const kept = new Set<string>()
  for (const { domain_id, live, retired, fields } of intent.rows) {
    if (!isOurs(fields, responsibility)) continue
    const { domain } = fields
    if (live) needed.set(domain, [...(needed.get(domain) ?? []), domain_id])
    else if (!retired) kept.add(domain)
  }
  return { wishes: wishesOf(needed), kept: [...kept].sort() }
}

/** `*.x` and `x` share one; what a wanted wildcard covers needs none of its own, but is served by it. */
function wishesOf(needed: ReadonlyMap<string, readonly number[]>): readonly Wish[] {
  const groups = new Map<string, { names: string[]; ids: number[] }>()
  for (const [name, ids] of needed) {
    const covered = !name.startsWith('*.') && needed.has(wildcardOf(name))
    const home = covered ? wildcardOf(name) : needed.has(`*.${name}`) ? `*.${name}` : name
    const group = groups.get(home) ?? { names: [], ids: [] }
    if (!covered) group.names.push(name)
    group.ids.push(...ids)
    groups.set(home, group)
  }
  return [...groups]
    .map(([name, { names, ids }]) => ({
      name,
      names: names.toSorted(),
      domain_ids: ids.toSorted((a, b) => a - b),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
