/** Backends, and the domains that lead to each. */
import type { CoreParts } from '../../../core/parts.ts'
import { hostPort } from '../../../model/network/address.ts'

/** By `host:port`, sorted. Saved records that are not disabled, with a backend. */
export async function readServices({
  store,
}: CoreParts): Promise<Readonly<Record<string, readonly string[]>>> {
  const groups = new Map<string, string[]>()
  for (const { fields, retired } of (await store.intent('working')).rows) {
    const { backend_host, backend_port, domain } = fields
    if (retired || backend_host === null || backend_port === null) continue
    const key = hostPort(backend_host, backend_port)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [domain])
    else group.push(domain)
  }
  const sorted = [...groups].map(([key, domains]) => [counted(key), key, domains] as const).sort(byFirst)
  return Object.fromEntries(sorted.map(([, key, domains]) => [key, domains]))
}

/** So that 10.0.0.9 comes before 10.0.0.10. */
export const counted = (key: string): string => key.replace(/\d+/g, (digits) => digits.padStart(5, '0'))

const byFirst = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  a < b ? -1 : 1
