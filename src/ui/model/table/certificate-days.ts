/** How long the certificate of each domain lasts still, in whole days. */
import type { Certificates } from '../../api/types.ts'

const DAY_MS = 86_400_000

/** By id of the domain. What the proxy names counts before what is only stored; else the one that ends first. */
export function certificateDays(found: Certificates | undefined, now: number): ReadonlyMap<number, number> {
  const days = new Map<number, { readonly left: number; readonly in_use: boolean }>()
  for (const { certificate, domains, in_use } of found?.certificates ?? []) {
    if (certificate === null) continue
    const left = Math.floor((Date.parse(certificate.not_after) - now) / DAY_MS)
    for (const { domain_id } of domains) {
      const known = days.get(domain_id)
      const own = { left, in_use: in_use === true }
      const isBetter = known === undefined || (own.in_use === known.in_use ? left < known.left : own.in_use)
      if (isBetter) days.set(domain_id, own)
    }
  }
  return new Map([...days].map(([id, { left }]) => [id, left]))
}
