/** Whether what an authority handed out is what was ordered. */
import { X509Certificate } from 'node:crypto'
import type { Instant } from '../../../kernel/clock.ts'

const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/** @returns what is wrong, as the end of a sentence, or null */
export function chainFault(pem: unknown, names: readonly string[], now: Instant): string | null {
  const leaf = typeof pem === 'string' ? leafOf(pem) : null
  if (leaf === null) return 'a text that is no certificate chain in PEM form'
  const held = (leaf.subjectAltName ?? '').split(', ').map((name) => name.toLowerCase())
  const missing = names.filter((name) => !held.includes(`dns:${name}`))
  if (missing.length > 0) return `a certificate that is not for ${missing.join(', ')}`
  const not_after = Date.parse(leaf.validTo)
  return not_after > now ? null : `a certificate that ended at ${new Date(not_after).toISOString()}`
}

/** The first of the chain, every block of which can be read. */
function leafOf(pem: string): X509Certificate | null {
  try {
    const [leaf] = (pem.match(BLOCK) ?? []).map((block) => new X509Certificate(block))
    return leaf ?? null
  } catch {
    return null
  }
}
