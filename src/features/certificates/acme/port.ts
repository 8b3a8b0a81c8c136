/**
 * A certificate authority spoken to by ACME (RFC 8555), step by step, so that every step can be persisted and taken up
 * again by its URL after a crash.
 *
 * Contract: every call ends by the signal and by its own deadline (30 s); badNonce is retried inside, with a fresh nonce, at
 * most 5 times; nothing else is retried here and nobody sleeps for a `Retry-After`. Failures: `provider_busy` for rateLimited
 * and 429, with `retry_after_ms`; `provider_credentials` for accountDoesNotExist, unauthorized accounts and bad EAB;
 * `provider_refused` for what the authority will not do (malformed, rejectedIdentifier, caa, badCSR …), its words and the
 * problem type in `details.facts.problem`; `component_unavailable` for the rest. No message holds a key.
 */
import type { Instant } from '../../../kernel/clock.ts'
import type { Secret } from '../../../kernel/secret.ts'

export interface Acme {
  /** The directory's URL: `https://acme-v02.api.letsencrypt.org/directory`. */
  readonly directory: string
  /** Finds the account of the key, or makes it. */
  account(signal: AbortSignal): Promise<{ readonly url: string }>
  /** @param replaces ARI id of the certificate that it replaces (RFC 9773 §5); `conflict` when the authority refuses just that. */
  newOrder(
    wish: { readonly names: readonly string[]; readonly replaces: string | null },
    signal: AbortSignal,
  ): Promise<AcmeOrder>
  order(url: string, signal: AbortSignal): Promise<AcmeOrder>
  authorization(url: string, signal: AbortSignal): Promise<AcmeAuthorization>
  /** Tells the authority that the TXT record stands there. */
  answer(challenge_url: string, signal: AbortSignal): Promise<void>
  /** @param csr DER */
  finalize(order: AcmeOrder, csr: Uint8Array, signal: AbortSignal): Promise<AcmeOrder>
  /** The chain as PEM, leaf first. The order must be valid. */
  certificate(order: AcmeOrder, signal: AbortSignal): Promise<string>
  /**
   * The domain names by which it is allowed in CAA records (`meta.caaIdentities`, RFC 8555 §7.1.1); none where it tells none.
   */
  caaIdentities(signal: AbortSignal): Promise<readonly string[]>
  /** Null where the authority has no renewal information (RFC 9773). @param id as `ariId` of the leaf certificate */
  renewalWindow(id: string, signal: AbortSignal): Promise<RenewalWindow | null>
}

export interface AcmeSettings {
  readonly directory: string
  readonly contact: string | null
  /** PEM. */
  readonly account_key: Secret
  /** External account binding (RFC 8555 §7.3.4). */
  readonly eab: { readonly kid: string; readonly hmac_key: Secret } | null
  /** PEM of further roots to trust, as of an authority of one's own; null for the system's. */
  readonly ca_file: string | null
}

export interface AcmeOrder {
  readonly url: string
  readonly status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'
  readonly names: readonly string[]
  readonly expires_at: Instant | null
  readonly authorization_urls: readonly string[]
  readonly finalize_url: string
  readonly certificate_url: string | null
  /** Why it is invalid, in the authority's words. */
  readonly error: string | null
}

export interface AcmeAuthorization {
  readonly url: string
  readonly status: 'pending' | 'valid' | 'invalid' | 'deactivated' | 'expired' | 'revoked'
  /** Without `*.`. */
  readonly name: string
  readonly wildcard: boolean
  /** Null where DNS-01 is not offered. */
  readonly dns: DnsChallenge | null
}

export interface DnsChallenge {
  readonly url: string
  readonly status: 'pending' | 'processing' | 'valid' | 'invalid'
  /** `_acme-challenge.example.com` */
  readonly record_name: string
  /** What the TXT must say (RFC 8555 §8.4). */
  readonly record_value: string
  readonly error: string | null
}

export interface RenewalWindow {
  readonly start: Instant
  readonly end: Instant
  readonly explanation_url: string | null
  /** When to ask again; null where it was not said. */
  readonly retry_after_ms: number | null
}
