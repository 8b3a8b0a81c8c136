/** Which deployed domains a certificate serves. By tables: both may be ten thousand. */
import { wildcardOf } from '../../model/network/certificate.ts'
import type { IntentRow } from '../../model/intent.ts'

export interface CertificateUser {
  readonly domain_id: number
  readonly domain: string
}

/** The answer is ordered by domain. It holds exactly the rows with TLS whose domain `covers` accepts. */
export function certificateUsers(
  rows: readonly IntentRow[],
): (names: readonly string[]) => readonly CertificateUser[] {
  const by_name = new Map<string, CertificateUser[]>()
  for (const { live, domain_id, fields } of rows) {
    if (!live || !fields.ssl_enabled) continue
    const { domain } = fields
    const user = { domain_id, domain }
    for (const name of domain.startsWith('*.') ? [domain] : [domain, wildcardOf(domain)]) {
      const users = by_name.get(name)
      if (users === undefined) by_name.set(name, [user])
      else users.push(user)
    }
  }
  return (names) => {
    const users = new Set(names.flatMap((name) => by_name.get(name) ?? []))
    return [...users].sort((a, b) => (a.domain < b.domain ? -1 : 1))
  }
}
