/** What is wrong with a domain's certificate, in plain words, with what would help. Pure. */
import { type Instant, isoTime } from '../../kernel/clock.ts'
import { type CertificateFacts, covers } from '../../model/network/certificate.ts'
import type { AcmeReading, HeldCertificate } from './acme-store/port.ts'
import type { ManagedView } from './view.ts'
import type { Handshake } from './tls-probe/port.ts'
import { distrustOf } from './managed/distrust.ts'
import { firstNames } from '../../kernel/text/first-names.ts'

/** What could be served for a domain. */
export interface Expected {
  /** What the store holds for the domain; null where it holds nothing or is not known. */
  readonly held: HeldCertificate | null
  readonly manager: Pick<ManagedView, 'installed' | 'chain_length' | 'last_error'> | null
  /** A resolver that the proxy seems not to have, in a sentence; null where it has it, or that is not known. */
  readonly no_resolver: string | null
}

export interface CertificateObservation extends Expected {
  readonly domain: string
  readonly internal: boolean
  /** Null where nobody was asked. */
  readonly seen: Handshake | null
  /** Null where no store is set. */
  readonly reading: AcmeReading | null
}

/** The first that applies, the one nearest to the visitor first; null where nothing is wrong. */
export function faultOf(observation: CertificateObservation, now: Instant): string | null {
  const { internal, seen, reading, manager } = observation
  if (seen?.ok === false) return seen.detail
  const wrong = seen === null ? null : servedWrongly(seen.chain, observation, now)
  if (wrong !== null) return wrong
  if (manager !== null && manager.last_error !== null) return manager.last_error
  if (reading !== null && (reading.state === 'refused' || reading.state === 'absent')) return reading.detail
  const untrusted = distrustOf(seen, observation)
  if (untrusted !== null) return untrusted
  return seen === null && internal
    ? 'It is served internally only; set PLUMBLINE_TLS_ADDRESS to see what the proxy serves.'
    : null
}

/** Why this chain is not what the domain should be served, in sentences; null where it is. */
export function servedWrongly(
  chain: readonly CertificateFacts[],
  { domain, ...expected }: Expected & { readonly domain: string },
  now: Instant,
): string | null {
  const served = chain[0]!
  const { held, manager, no_resolver } = expected
  const has_better = [held, manager?.installed ?? null].some(
    (facts) => facts !== null && facts.serial !== served.serial && facts.not_after > now,
  )
  if (!covers(served.names, domain))
    return (
      `What is served is for ${namesIn(served)} (issuer ${served.issuer}), not for ${domain}. ` +
      (has_better ? NOT_LOADED : (no_resolver ?? NONE_YET))
    )
  return outOfTime(served, has_better, now) ?? outdated(served, expected) ?? cutShort(chain, expected)
}

const NONE_YET = 'The proxy has none for this name yet. Look at its log for the order.'

function outOfTime(served: CertificateFacts, has_better: boolean, now: Instant): string | null {
  if (served.not_after <= now)
    return (
      `What is served ended at ${isoTime(served.not_after)}. ` +
      (has_better ? NOT_LOADED : 'It was not renewed. Look at the log of whoever renews it for the order.')
    )
  if (served.not_before > now)
    return `What is served begins only at ${isoTime(served.not_before)}. Is the clock of this host right?`
  return null
}

/** There is one that ends later. */
function outdated(
  served: CertificateFacts,
  { held, manager }: Pick<Expected, 'held' | 'manager'>,
): string | null {
  const installed = manager?.installed ?? null
  if (held !== null && held.serial !== served.serial && held.not_after > served.not_after)
    return (
      `The store holds a newer one (${held.serial}, to ${isoTime(held.not_after)}) than is served ` +
      `(${served.serial}, to ${isoTime(served.not_after)}). Restart the proxy, or see whether another proxy answers there.`
    )
  if (installed !== null && installed.serial !== served.serial && installed.not_after > served.not_after)
    return (
      `Ours is newer (${installed.serial}, to ${isoTime(installed.not_after)}) than what is served (${served.serial}, ` +
      `to ${isoTime(served.not_after)}). See PLUMBLINE_CERTIFICATES_PATH_IN_PROXY and whether the proxy may read it.`
    )
  return null
}

/** Without what stands above it, a certificate is trusted by those alone who have met that elsewhere. */
function cutShort(
  chain: readonly CertificateFacts[],
  { held, manager }: Pick<Expected, 'held' | 'manager'>,
): string | null {
  const { fingerprint } = chain[0]!
  const lengths = [
    held?.fingerprint === fingerprint ? held.chain_length : null,
    manager?.installed?.fingerprint === fingerprint ? manager.chain_length : null,
  ].filter((length) => length !== null)
  const whole = Math.max(0, ...lengths)
  if (chain.length >= Math.min(whole, MAX_CHAIN)) return null
  return (
    `A shorter chain is served (of ${chain.length}) than the file holds (of ${whole}), so that some visitors do not trust it. ` +
    'Restart the proxy, or see whether another of its files has this certificate without its chain.'
  )
}

const NOT_LOADED =
  'A good one is there but is not served: restart the proxy, or see whether another proxy answers at this address.'

/** A handshake is not followed further. */
const MAX_CHAIN = 10

/** A certificate may have a hundred. */
function namesIn({ names }: CertificateFacts): string {
  return names.length === 0 ? 'no name' : firstNames(names, 3)
}
