/** What a certificate says of itself. Nothing secret is among it. */
import type { Instant } from '../../kernel/clock.ts'

export interface CertificateFacts {
  /** DNS names of the subject alternative name (RFC 5280 §4.2.1.6), lower-case A-labels, sorted; wildcards among them. */
  readonly names: readonly string[]
  readonly not_before: Instant
  readonly not_after: Instant
  /** Common name of the issuer, else its whole distinguished name. */
  readonly issuer: string
  /** Lower-case hexadecimal without leading zeros. */
  readonly serial: string
  /** `EC P-256`, `RSA 2048` … */
  readonly key_type: string
  /** SHA-256 over the certificate, lower-case hexadecimal. */
  readonly fingerprint: string
}
/** True when a name of the certificate is this one, or a wildcard one label above it (RFC 9525 §6.3). */
export const covers = (names: readonly string[], name: string): boolean =>
  names.includes(name) || (!name.startsWith('*.') && names.includes(wildcardOf(name)))

/** `*.example.com` for `app.example.com`. */
export const wildcardOf = (name: string): string => `*${name.slice(name.indexOf('.'))}`

/** How far an order at a certificate authority is. */
export const ORDER_STEPS = [
  'planned',
  'ordered',
  'presented',
  'propagated',
  'answered',
  'validated',
  'finalised',
  'stored',
  'failed',
] as const
export type OrderStep = (typeof ORDER_STEPS)[number]
